import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { parseWorkflowId, workflowIdOf } from '../../workflows/processes.ts'
import type { ProcessOfPage } from '../domain/kernel/processes.ts'
import type { Wakeups } from '../domain/kernel/services.ts'
import type { Orm } from '../persistence/orm.ts'
import { markSent, type SleepingProcess, takeUnsent } from '../persistence/system/wakeups.ts'
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
  /**
   * By their workflow ids, as the rows of their wake-ups. Notifications wait behind all others: an import of subscribers writes
   * thousands at once.
   */
  const waiting = { others: new Map<string, ProcessOfPage>(), notifications: new Map<string, ProcessOfPage>() }
  const inFlight = new Map<string, Promise<void>>()
  let sent: string[] = []
  let marking: Promise<void> | undefined
  let scanning: Promise<void> | undefined
  /** A signal failed: nothing is sent until Temporal answers again. */
  let away = false
  let paused = false
  let closed = false

  function add(process: ProcessOfPage): void {
    const queue = process.kind === 'notification' ? waiting.notifications : waiting.others
    queue.set(workflowIdOf(process), process)
  }

  function pump(): void {
    sendFrom(waiting.others, () => inFlight.size < width)
    const notifications = () => [...inFlight.keys()].filter((id) => parseWorkflowId(id)?.kind === 'notification').length
    sendFrom(waiting.notifications, () => inFlight.size < width && notifications() < width / 2)
  }

  function sendFrom(queue: Map<string, ProcessOfPage>, hasRoom: () => boolean): void {
    for (const [workflowId, process] of queue) {
      if (paused || away || closed || !hasRoom()) return
      if (inFlight.has(workflowId)) continue
      queue.delete(workflowId)
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
    for (const { workflow_id, page_id } of await take()) {
      const process = parseWorkflowId(workflow_id)
      if (process) add({ ...process, pageId: page_id })
      else
        logger.error(
          { workflow_id },
          'a wake-up cannot be sent, because this release does not know its kind of process',
        )
    }
    pump()
  }

  async function take(): Promise<SleepingProcess[]> {
    if (waiting.others.size >= BACKLOG) return []
    const areEnough = waiting.notifications.size >= BACKLOG
    const rows = await takeUnsent(system, clock(), BATCH, areEnough)
    return areEnough || rows.length < BATCH ? rows : [...rows, ...(await takeUnsent(system, clock(), BATCH, true))]
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
      for (const process of processes) add(process)
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
      waiting.others.clear()
      waiting.notifications.clear()
      await scanning
      await Promise.allSettled(inFlight.values())
      await marking
    },
  }
}
