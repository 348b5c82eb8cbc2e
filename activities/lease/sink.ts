import type { Logger } from 'pino'
import type { NewResult } from '../../src/persistence/beat-results.ts'
import { isRefused } from '../../src/persistence/failures.ts'
import type { Known } from './opinion-rules.ts'
import type { Timers } from './timers.ts'

/** Called once a result is stored, with what was known of its beat then; nothing if the beat is gone. */
export type Stored = (result: NewResult, known: Known | undefined) => void

export interface Sink {
  submit(result: NewResult, stored: Stored): void
  /** Stores what there is; for the end of the process. A database that is away is not waited for. */
  close(): Promise<void>
}

interface Options {
  store(results: NewResult[]): Promise<Map<number, Known>>
  timers: Timers
  logger: Logger
  observe(what: { backlog: number } | { dropped: number }): void
  everyMs?: number
  /** How many may wait; of more the oldest are given up. */
  most?: number
}

interface Item {
  result: NewResult
  stored: Stored
}

const BATCH = 2000

/** Where the results of all leases of a process go: into the database, many in one statement, soon. */
export function openSink({ store, timers, logger, observe, everyMs = 250, most = 100_000 }: Options): Sink {
  let waiting: Item[] = []
  let dropped = 0
  let failing = false
  /** Since when the database is away, and how many results that waited for it are stored by now. */
  let away: { since: number; late: number } | undefined
  let cancel: (() => void) | undefined
  let flushing: Promise<void> | undefined

  function arm(): void {
    cancel ??= timers.after(everyMs, () => {
      cancel = undefined
      void flush()
    })
  }

  function flush(): Promise<void> {
    flushing ??= storeAll().finally(() => {
      flushing = undefined
      if (waiting.length > 0) arm()
    })
    return flushing
  }

  async function storeAll(): Promise<void> {
    failing = false
    while (waiting.length > 0 && !failing) {
      const batch = waiting.slice(0, BATCH)
      waiting = waiting.slice(BATCH)
      observe({ backlog: waiting.length })
      await storeBatch(batch)
    }
    if (away && !failing) {
      const seconds = Math.round((timers.now() - away.since) / 1000)
      logger.info({ seconds, count: away.late }, 'results are stored again, with all that waited')
      away = undefined
    }
    if (dropped > 0 && !failing) {
      logger.error({ count: dropped }, 'results of checks were given up while the database was away')
      dropped = 0
    }
  }

  async function storeBatch(batch: Item[]): Promise<void> {
    let known: Map<number, Known>
    try {
      known = await store(batch.map(({ result }) => result))
    } catch (error) {
      if (isRefused(error)) return refused(batch, error)
      // Said when it begins and when it is over: it is tried several times a second.
      if (!away) logger.warn({ err: error, count: batch.length }, 'results cannot be stored; it is tried again')
      away ??= { since: timers.now(), late: 0 }
      failing = true
      waiting = [...batch, ...waiting]
      bound()
      return
    }
    if (away) away.late += batch.length
    for (const { result, stored } of batch) stored(result, known.get(result.beat_id))
  }

  /** One result that the database will never take must not keep the others out. */
  async function refused(batch: Item[], error: unknown): Promise<void> {
    if (batch.length === 1) {
      logger.error({ err: error, beat_id: batch[0]?.result.beat_id }, 'a result cannot be stored at all')
      observe({ dropped: 1 })
      return
    }
    const half = Math.ceil(batch.length / 2)
    await storeBatch(batch.slice(0, half))
    await storeBatch(batch.slice(half))
  }

  function bound(): void {
    const surplus = waiting.length - most
    if (surplus > 0) {
      waiting = waiting.slice(surplus)
      dropped += surplus
      observe({ dropped: surplus })
    }
    observe({ backlog: waiting.length })
  }

  return {
    submit(result, stored) {
      waiting.push({ result, stored })
      // Not at each of them: to cut off the front of a long list is work.
      if (waiting.length >= most + BATCH) bound()
      arm()
    },
    async close() {
      cancel?.()
      await flushing
      await flush()
      cancel?.()
      cancel = undefined
    },
  }
}
