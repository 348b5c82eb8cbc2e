import { isContention } from '../../../persistence/failures.ts'
import {
  countRefusals,
  type NewIngestEvent,
  type StoredIngestEvent,
  storeEvents,
} from '../../../persistence/system/ingest.ts'
import { Problem } from '../../kernel/errors.ts'
import { firstScanAt } from '../../kernel/processes.ts'
import type { Services } from '../../kernel/services.ts'
import { wakeAfterCommit } from '../../kernel/unit-of-work.ts'
import { inboxProcess } from '../endpoints/subject.ts'

/** Stores accepted events: those that arrive while a batch is being written are the next batch, and share its commit. */
export interface Acceptor {
  accept(event: NewIngestEvent): Promise<StoredIngestEvent>
  /** Counts a refused event at its endpoint, within a second. */
  countRefusal(endpointId: number): void
}

const MOST_EVENTS = 200
const MOST_BYTES = 8 * 1024 * 1024
/** Two batches at once use the time in which the database waits for its disk. */
const BATCHES_AT_ONCE = 2
const COUNT_EVERY_MS = 1000
const ATTEMPTS = 4
/** Events that wait for a slow database are in memory. */
const MOST_WAITING_BYTES = 64 * 1024 * 1024

const overloaded = () => new Problem('unavailable', 'Too many events wait for the database: try again later.')

interface Waiting {
  event: NewIngestEvent
  resolve(stored: StoredIngestEvent): void
  reject(error: unknown): void
}

export function openAcceptor(services: Services): Acceptor {
  const { system, clock, logger } = services
  const waiting: Waiting[] = []
  let writing = 0
  let waitingBytes = 0
  const refused = new Map<number, number>()
  let counting: NodeJS.Timeout | undefined

  async function write(): Promise<void> {
    writing += 1
    try {
      for (let batch = nextBatch(); batch.length > 0; batch = nextBatch()) await store(batch)
    } finally {
      writing -= 1
    }
  }

  function nextBatch(): Waiting[] {
    let bytes = 0
    const size = waiting.findIndex(({ event }, index) => {
      bytes += event.size
      return index > 0 && (index >= MOST_EVENTS || bytes > MOST_BYTES)
    })
    const batch = waiting.splice(0, size < 0 ? waiting.length : size)
    waitingBytes -= batch.reduce((sum, { event }) => sum + event.size, 0)
    return batch
  }

  async function store(batch: Waiting[]): Promise<void> {
    const now = clock()
    try {
      const events = batch.map(({ event }) => event)
      const stored = await storeWithRetries(events, now)
      services.reached('facts committed')
      for (const [index, one] of stored.entries()) batch[index]!.resolve(one)
      wakeInboxes(services, stored)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  /** A concurrent batch with the same keys, or the deletion of an endpoint, must not fail the events of others. */
  async function storeWithRetries(events: NewIngestEvent[], now: Date): Promise<StoredIngestEvent[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await storeEvents(system, events, { now, firstScanAt: firstScanAt(now) })
      } catch (error) {
        if (!isContention(error) || tries >= ATTEMPTS) throw error
      }
    }
  }

  function count(): void {
    counting = undefined
    const counts = new Map(refused)
    refused.clear()
    countRefusals(system, counts).catch((error) => logger.warn({ err: error }, 'refused events could not be counted'))
  }

  return {
    accept(event) {
      if (waitingBytes + event.size > MOST_WAITING_BYTES) return Promise.reject(overloaded())
      const { promise, resolve, reject } = Promise.withResolvers<StoredIngestEvent>()
      waiting.push({ event, resolve, reject })
      waitingBytes += event.size
      if (writing < BATCHES_AT_ONCE) void write()
      return promise
    },
    countRefusal(endpointId) {
      refused.set(endpointId, (refused.get(endpointId) ?? 0) + 1)
      if (!counting) counting = setTimeout(count, COUNT_EVERY_MS).unref()
    },
  }
}

function wakeInboxes(services: Services, stored: StoredIngestEvent[]): void {
  const pages = new Map<number, number>()
  for (const { verdict, endpointId, pageId } of stored) {
    if (verdict === 'accepted') pages.set(endpointId!, pageId!)
  }
  for (const [endpointId, pageId] of pages) wakeAfterCommit(services, pageId, [inboxProcess(endpointId)])
}
