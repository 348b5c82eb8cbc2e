import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Bell } from '../domain/kernel/services.ts'
import type { Orm } from '../persistence/orm.ts'
import { markSent, takeUnsent } from '../persistence/system/wakeups.ts'
import type { Temporal } from './client.ts'
import { signalWake, type Target } from './signals.ts'

export interface Relay extends Bell {
  pause(): void
  resume(): void
  /** Waits for what is being sent, and sends no more. */
  close(): Promise<void>
}

interface Options {
  system: Orm
  temporal: Temporal
  logger: Logger
  clock: () => Date
  onFailure?: () => void
  /** How many signals may be on their way at once. */
  width?: number
  scanEveryMs?: number
}

const STAMP_EVERY_MS = 100
/** How many wake-ups one scan takes, and how many targets may wait here before it takes no more. */
const BATCH = 500
const BACKLOG = 1000

/**
 * Carries wake-ups from PostgreSQL to Temporal. Best effort and quick: the row is the promise, and it goes away only
 * when a step has read it. At most one signal per workflow is on its way, and no row is locked meanwhile.
 */
export function startRelay({
  system,
  temporal,
  logger,
  clock,
  onFailure,
  width = 16,
  scanEveryMs = 1000,
}: Options): Relay {
  const waiting = new Map<string, Target>()
  const flying = new Map<string, Promise<void>>()
  let sent: string[] = []
  let stamping: Promise<void> | undefined
  let scanning: Promise<void> | undefined
  /** A signal failed: until Temporal answers again nothing is sent, and wake-ups keep their place in the queue. */
  let away = false
  let paused = false
  let closed = false

  function pump(): void {
    for (const [workflowId, target] of waiting) {
      if (paused || away || closed || flying.size >= width) return
      if (flying.has(workflowId)) continue
      waiting.delete(workflowId)
      const flight = send(target).finally(() => {
        flying.delete(workflowId)
        pump()
      })
      flying.set(workflowId, flight)
    }
  }

  async function send(target: Target): Promise<void> {
    try {
      await signalWake(temporal, target)
      sent.push(target.workflowId)
      stamping ??= stamp()
    } catch (error) {
      onFailure?.()
      logger.debug({ workflow_id: target.workflowId, err: error }, 'could not wake a process; it is tried again')
      away = true
      look()
    }
  }

  /** Gathers what was sent in the last moments into one statement. */
  async function stamp(): Promise<void> {
    while (sent.length > 0) {
      await sleep(STAMP_EVERY_MS)
      const batch = sent
      sent = []
      await markSent(system, batch, clock()).catch((error) => logger.debug({ err: error }, 'could not stamp wake-ups'))
    }
    stamping = undefined
  }

  async function scan(): Promise<void> {
    if (paused) return
    if (away && !(await temporal.reachable())) return
    away = false
    const rows = waiting.size < BACKLOG ? await takeUnsent(system, clock(), BATCH) : []
    for (const row of rows) waiting.set(row.workflow_id, { workflowId: row.workflow_id, pageId: row.page_id })
    pump()
  }

  function look(): void {
    scanning ??= scan()
      .catch((error) => logger.debug({ err: error }, 'could not look for unsent wake-ups'))
      .finally(() => {
        scanning = undefined
      })
  }

  const timer = setInterval(look, scanEveryMs)

  return {
    ring(targets) {
      if (closed || away) return
      for (const target of targets) waiting.set(target.workflowId, target)
      pump()
    },
    pause() {
      paused = true
    },
    resume() {
      paused = false
      pump()
    },
    async close() {
      closed = true
      clearInterval(timer)
      waiting.clear()
      await scanning
      await Promise.allSettled(flying.values())
      await stamping
    },
  }
}
