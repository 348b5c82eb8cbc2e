import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { parseWorkflowId, workflowIdOf } from '../../workflows/processes.ts'
import type { ProcessOfPage } from '../domain/kernel/processes.ts'
import type { Wakeups } from '../domain/kernel/services.ts'
import type { Orm } from '../persistence/orm.ts'
import { markSent, takeUnsent } from '../persistence/system/wakeups.ts'
import type { Temporal } from './client.ts'
import { signalWake } from './signals.ts'

export interface Relay extends Wakeups {
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
  /** By their workflow ids, as the rows of their wake-ups. */
  const waiting = new Map<string, ProcessOfPage>()
  const inFlight = new Map<string, Promise<void>>()
  let sent: string[] = []
  let marking: Promise<void> | undefined
  let scanning: Promise<void> | undefined
  /** A signal failed: nothing is sent until Temporal answers again. */
  let away = false
  let paused = false
  let closed = false

  function pump(): void {
    for (const [workflowId, process] of waiting) {
      if (paused || away || closed || inFlight.size >= width) return
      if (inFlight.has(workflowId)) continue
      waiting.delete(workflowId)
      const flight = send(workflowId, process).finally(() => {
        inFlight.delete(workflowId)
        pump()
      })
      inFlight.set(workflowId, flight)
    }
  }

  async function send(workflowId: string, process: ProcessOfPage): Promise<void> {
    try {
      await signalWake(temporal, process)
      sent.push(workflowId)
      marking ??= markBatches()
    } catch (error) {
      onFailure?.()
      logger.debug({ workflow_id: workflowId, err: error }, 'could not signal a process; the scan repeats the signal')
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
    for (const { workflow_id, page_id } of rows) {
      const process = parseWorkflowId(workflow_id)
      if (process) waiting.set(workflow_id, { ...process, pageId: page_id })
      else
        logger.error(
          { workflow_id },
          'a wake-up cannot be sent, because this release does not know its kind of process',
        )
    }
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
    wakeProcesses(processes) {
      if (closed || away) return
      for (const process of processes) waiting.set(workflowIdOf(process), process)
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
