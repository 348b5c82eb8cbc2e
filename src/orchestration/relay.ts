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
  /** Waits for the signals in flight, and sends no more. */
  close(): Promise<void>
}

interface Options {
  system: Orm
  temporal: Temporal
  logger: Logger
  clock: () => Date
  onFailure?: () => void
  /** How many signals may be in flight at once. */
  width?: number
  scanEveryMs?: number
}

const MARK_EVERY_MS = 100
/** How many wake-ups one scan takes, and how many targets may wait here before it takes no more. */
const BATCH = 500
const BACKLOG = 1000

/**
 * Sends wake-ups from PostgreSQL to Temporal. A signal may be lost: the row of a wake-up stays until a step has read it. At
 * most one signal per workflow is in flight, and no row is locked meanwhile.
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
  const inFlight = new Map<string, Promise<void>>()
  let sent: string[] = []
  let marking: Promise<void> | undefined
  let scanning: Promise<void> | undefined
  /** A signal failed: nothing is sent until Temporal answers again. */
  let away = false
  let paused = false
  let closed = false

  function pump(): void {
    for (const [workflowId, target] of waiting) {
      if (paused || away || closed || inFlight.size >= width) return
      if (inFlight.has(workflowId)) continue
      waiting.delete(workflowId)
      const flight = send(target).finally(() => {
        inFlight.delete(workflowId)
        pump()
      })
      inFlight.set(workflowId, flight)
    }
  }

  async function send(target: Target): Promise<void> {
    try {
      await signalWake(temporal, target)
      sent.push(target.workflowId)
      marking ??= markBatches()
    } catch (error) {
      onFailure?.()
      logger.debug(
        { workflow_id: target.workflowId, err: error },
        'could not signal a process; the scan repeats the signal',
      )
      away = true
      startScan()
    }
  }

  /** Marks the recently sent wake-ups in one statement. */
  async function markBatches(): Promise<void> {
    while (sent.length > 0) {
      await sleep(MARK_EVERY_MS)
      const batch = sent
      sent = []
      await markSent(system, batch, clock()).catch((error) =>
        logger.debug({ err: error }, 'could not mark wake-ups as sent'),
      )
    }
    marking = undefined
  }

  async function scan(): Promise<void> {
    if (paused) return
    if (away && !(await temporal.reachable())) return
    away = false
    const rows = waiting.size < BACKLOG ? await takeUnsent(system, clock(), BATCH) : []
    for (const row of rows) waiting.set(row.workflow_id, { workflowId: row.workflow_id, pageId: row.page_id })
    pump()
  }

  function startScan(): void {
    scanning ??= scan()
      .catch((error) => logger.debug({ err: error }, 'could not scan for unsent wake-ups'))
      .finally(() => {
        scanning = undefined
      })
  }

  const timer = setInterval(startScan, scanEveryMs)

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
      await Promise.allSettled(inFlight.values())
      await marking
    },
  }
}
