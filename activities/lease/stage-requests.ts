import { evaluateResults, type KnownStage } from '../../src/domain/beats/stage/evaluate-results.ts'
import { markUnchecked } from '../../src/domain/beats/stage/stage-unknown.ts'
import type { Services } from '../../src/domain/kernel/services.ts'
import { inUnitOfWork } from '../../src/domain/kernel/unit-of-work.ts'
import type { NewResult } from '../../src/persistence/beat-results.ts'

/** How many transactions run at once: steps and operations need connections, too. */
const WIDTH = 4
/** How many beats of a page one transaction evaluates. */
const AT_ONCE = 100

interface Which {
  id: number
  page_id: number
}

export interface StageRequests {
  /** Stores new results of beats of a page, and evaluates the stages of these beats in the same transaction. */
  evaluate(pageId: number, results: NewResult[]): Promise<Map<number, KnownStage>>
  /** Evaluates the stage of a beat by its stored results. */
  requestEvaluation(beat: Which): Promise<void>
  /** Reports that a region cannot check a beat. True if the report needs no repetition. */
  reportUnable(beat: Which, why: { region: string; because: string }): Promise<boolean>
  /** Waits for the running transactions and begins no more: the next lease repeats the other requests. */
  close(): Promise<void>
}

interface Requested extends Which {
  evaluated: PromiseWithResolvers<void>
}

/** Passes requests and reports of leases to the domain, many beats of a page in one transaction. */
export function openStageRequests(services: Services): StageRequests {
  let requested: Requested[] = []
  const waiting: (() => void)[] = []
  const inFlight = new Set<Promise<void>>()
  let closed = false

  async function evaluate(pageId: number, ids: number[], results: NewResult[]): Promise<Map<number, KnownStage>> {
    const changes = new Map()
    const known = await inUnitOfWork(services, pageId, (work) => {
      // An attempt that was rolled back has changed nothing.
      changes.clear()
      return evaluateResults(work, ids, results, changes)
    })
    if (changes.size > 0) services.pageChanged(pageId)
    return known
  }

  /** Evaluates the waiting beats of one page. */
  async function evaluateRequested(): Promise<void> {
    const [first] = requested
    if (!first) return
    const mine = requested.filter(({ page_id }) => page_id === first.page_id).slice(0, AT_ONCE)
    requested = requested.filter((one) => !mine.includes(one))
    try {
      const ids = [...new Set(mine.map(({ id }) => id))].sort((a, b) => a - b)
      await evaluate(first.page_id, ids, [])
      for (const { evaluated } of mine) evaluated.resolve()
    } catch (error) {
      for (const { evaluated } of mine) evaluated.reject(error)
      throw error
    }
  }

  async function inTurn<T>(page_id: number, work: () => Promise<T>): Promise<T | undefined> {
    while (inFlight.size >= WIDTH && !closed) await new Promise<void>((resolve) => waiting.push(resolve))
    if (closed) return undefined
    const done = work()
    const flight = done
      .then(
        () => {},
        (error) =>
          services.logger.warn(
            { page_id, err: error },
            'beats could not be evaluated; their leases request the evaluation again',
          ),
      )
      .finally(() => {
        inFlight.delete(flight)
        waiting.shift()?.()
      })
    inFlight.add(flight)
    return done
  }

  return {
    evaluate: (pageId, results) => evaluate(pageId, [...new Set(results.map(({ beat_id }) => beat_id))], results),
    async requestEvaluation({ id, page_id }) {
      const evaluated = Promise.withResolvers<void>()
      requested.push({ id, page_id, evaluated })
      inTurn(page_id, evaluateRequested).catch(() => {})
      await evaluated.promise
    },
    async reportUnable({ id, page_id }, why) {
      const again = await inTurn(page_id, () => inUnitOfWork(services, page_id, (work) => markUnchecked(work, id, why)))
      return again === null
    },
    async close() {
      closed = true
      for (const go of waiting.splice(0)) go()
      await Promise.allSettled(inFlight)
      for (const { evaluated } of requested) evaluated.resolve()
    },
  }
}
