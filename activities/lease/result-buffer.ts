import type { Logger } from 'pino'
import type { NewResult } from '../../src/persistence/beat-results.ts'
import { isContention, isDatabaseAway, isRefused } from '../../src/persistence/failures.ts'
import type { Known } from './local-stage-rules.ts'
import type { Timers } from './timers.ts'

/** Called once a result is stored, with the state of its beat at that time; undefined if the beat was deleted. */
export type Stored = (result: NewResult, known: Known | undefined) => void

export interface ResultBuffer {
  /** With `evaluate` the transaction that stores the result also evaluates the stage of its beat. */
  submit(result: NewResult, stored: Stored, evaluate?: boolean): void
  /** Stores all waiting results at the end of the process, without waiting for a database that is away. */
  close(): Promise<void>
}

interface Options {
  store(results: NewResult[]): Promise<Map<number, Known>>
  /** The same for results of one page, whose beats are evaluated in the same transaction. */
  evaluate(pageId: number, results: NewResult[]): Promise<Map<number, Known>>
  timers: Timers
  logger: Logger
  observe(what: { backlog: number } | { dropped: number }): void
  everyMs?: number
  /** How many results may wait; above this number the oldest are discarded. */
  most?: number
}

interface Item {
  result: NewResult
  stored: Stored
  evaluate: boolean
}

const BATCH = 2000
/** How many beats one transaction evaluates: it holds the locks of all of them. */
const EVALUATED_AT_ONCE = 100
/** How many transactions evaluate at once: steps and operations need connections, too. */
const WIDTH = 4

/** Stores the results of all leases of a process, many in one statement. */
export function openResultBuffer({
  store,
  evaluate,
  timers,
  logger,
  observe,
  everyMs = 250,
  most = 100_000,
}: Options): ResultBuffer {
  let waiting: Item[] = []
  let dropped = 0
  let failing = false
  /** Since when the database is away, and how many of the waiting results are stored by now. */
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
      await storeSorted(batch)
    }
    if (away && !failing) {
      const seconds = Math.round((timers.now() - away.since) / 1000)
      logger.info({ seconds, count: away.late }, 'the database stores results again, including all waiting results')
      away = undefined
    }
    if (dropped > 0 && !failing) {
      logger.error({ count: dropped }, 'results of checks were discarded while the database was away')
      dropped = 0
    }
  }

  /** All results of a beat are stored in the same way, so that they keep their order. */
  async function storeSorted(batch: Item[]): Promise<void> {
    const evaluated = new Set(batch.flatMap((item) => (item.evaluate ? item.result.beat_id : [])))
    const [special, plain] = [new Map<number, Item[]>(), [] as Item[]]
    for (const item of batch) {
      const { beat_id, page_id } = item.result
      if (evaluated.has(beat_id)) special.set(page_id, [...(special.get(page_id) ?? []), item])
      else plain.push(item)
    }
    const groups = [...special].flatMap(([pageId, items]) => inGroups(items).map((group) => ({ pageId, group })))
    const next = async (): Promise<void> => {
      const one = groups.shift()
      if (!one) return
      await storeBatch(one.group, (results) => evaluate(one.pageId, results), failed)
      await next()
    }
    const failed: Item[] = []
    if (plain.length > 0) await storeBatch(plain, store, failed)
    await Promise.all(Array.from({ length: WIDTH }, next))
    if (failed.length > 0) {
      failing = true
      waiting = [...failed, ...waiting]
      bound()
    }
  }

  async function storeBatch(batch: Item[], way: Options['store'], failed: Item[]): Promise<void> {
    let known: Map<number, Known>
    try {
      known = await way(batch.map(({ result }) => result))
    } catch (error) {
      if (isRefused(error)) return refused(batch, error, way, failed)
      if (way !== store && !isDatabaseAway(error) && !isContention(error)) {
        // After a bug in the evaluation the results are not lost: they are stored now and evaluated later.
        logger.error({ err: error, count: batch.length }, 'results could not be evaluated; they are stored unevaluated')
        return storeBatch(batch, store, failed)
      }
      // Several attempts a second follow, so only the beginning and the end are logged.
      if (!away) logger.warn({ err: error, count: batch.length }, 'results cannot be stored; the worker retries')
      away ??= { since: timers.now(), late: 0 }
      failed.push(...batch)
      return
    }
    if (away) away.late += batch.length
    for (const { result, stored } of batch) stored(result, known.get(result.beat_id))
  }

  /** Halves the batch until the one result that the database refuses is found. */
  async function refused(batch: Item[], error: unknown, way: Options['store'], failed: Item[]): Promise<void> {
    if (batch.length === 1) {
      logger.error(
        { err: error, beat_id: batch[0]?.result.beat_id },
        'the database refused a result; the result is discarded',
      )
      observe({ dropped: 1 })
      return
    }
    const half = Math.ceil(batch.length / 2)
    await storeBatch(batch.slice(0, half), way, failed)
    await storeBatch(batch.slice(half), way, failed)
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
    submit(result, stored, evaluate = false) {
      waiting.push({ result, stored, evaluate })
      // Not at each result: cutting off the front of a long list is expensive.
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

/** Groups with the results of at most `EVALUATED_AT_ONCE` beats; all results of a beat are in one group. */
function inGroups(items: Item[]): Item[][] {
  const beats = [...Map.groupBy(items, ({ result }) => result.beat_id).values()]
  const groups = Map.groupBy(beats.entries(), ([index]) => Math.floor(index / EVALUATED_AT_ONCE))
  return [...groups.values()].map((group) => group.flatMap(([, items]) => items))
}
