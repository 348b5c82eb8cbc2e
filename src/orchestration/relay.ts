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
  scanEveryMs = 500,
}: Options): Relay {
  const waiting = new Map<string, Target>()
  const flying = new Map<string, Promise<void>>()
  let sent: string[] = []
  let stamping: Promise<void> | undefined
  let paused = false
  let closed = false

  function pump(): void {
    for (const [workflowId, target] of waiting) {
      if (paused || flying.size >= width) return
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
    }
  }

  /** Gathers what was sent in the last moments into one statement. */
  async function stamp(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 100))
    const batch = sent
    sent = []
    stamping = undefined
    await markSent(system, batch, clock()).catch((error) => logger.debug({ err: error }, 'could not stamp wake-ups'))
  }

  async function scan(): Promise<void> {
    if (paused || waiting.size > 1000) return
    const rows = await takeUnsent(system, clock(), 500)
    for (const row of rows) waiting.set(row.workflow_id, { workflowId: row.workflow_id, pageId: row.page_id })
    pump()
  }

  const timer = setInterval(() => {
    scan().catch((error) => logger.debug({ err: error }, 'could not look for unsent wake-ups'))
  }, scanEveryMs)

  return {
    ring(targets) {
      if (closed) return
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
      await Promise.allSettled(flying.values())
      await stamping
    },
  }
}
