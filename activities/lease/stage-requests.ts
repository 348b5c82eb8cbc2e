import { evaluateResults, type KnownStage } from '../../src/domain/beats/stage/evaluate-results.ts'
import { markUnchecked } from '../../src/domain/beats/stage/stage-unknown.ts'
import type { Services } from '../../src/domain/kernel/services.ts'
import { inUnitOfWork } from '../../src/domain/kernel/unit-of-work.ts'
import type { NewResult } from '../../src/persistence/beat-results.ts'

/** When very many beats change their stage at once, steps and operations need connections, too. */
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
  /** Evaluates a beat by what is stored of it. */
  ask(beat: Which): Promise<void>
  /** A beat cannot be checked from a region. True once that is said of it, or need not be. */
  cannot(beat: Which, why: { region: string; because: string }): Promise<boolean>
  /** Asks no more, and waits for the answers that are under way: the next lease asks for the rest. */
  close(): Promise<void>
}

interface Asked extends Which {
  answered: PromiseWithResolvers<void>
}

/** Brings what leases have found out about beats to the domain: many beats of a page in one transaction. */
export function openStageRequests(services: Services): StageRequests {
  let asked: Asked[] = []
  const waiting: (() => void)[] = []
  const flying = new Set<Promise<void>>()
  let closed = false

  async function evaluate(pageId: number, ids: number[], results: NewResult[]): Promise<Map<number, KnownStage>> {
    const changes = new Map()
    const known = await inUnitOfWork(services, pageId, (scene) => {
      // An attempt that was rolled back has changed nothing.
      changes.clear()
      return evaluateResults(scene, ids, results, changes)
    })
    if (changes.size > 0) services.pageChanged(pageId)
    return known
  }

  /** Evaluates the beats of one page that wait for it. */
  async function evaluateAsked(): Promise<void> {
    const [first] = asked
    if (!first) return
    const mine = asked.filter(({ page_id }) => page_id === first.page_id).slice(0, AT_ONCE)
    asked = asked.filter((one) => !mine.includes(one))
    try {
      const ids = [...new Set(mine.map(({ id }) => id))].sort((a, b) => a - b)
      await evaluate(first.page_id, ids, [])
      for (const { answered } of mine) answered.resolve()
    } catch (error) {
      for (const { answered } of mine) answered.reject(error)
      throw error
    }
  }

  async function inTurn<T>(page_id: number, work: () => Promise<T>): Promise<T | undefined> {
    while (flying.size >= WIDTH && !closed) await new Promise<void>((resolve) => waiting.push(resolve))
    if (closed) return undefined
    const done = work()
    const flight = done
      .then(
        () => {},
        (error) => services.logger.warn({ page_id, err: error }, 'beats could not be evaluated; it is tried again'),
      )
      .finally(() => {
        flying.delete(flight)
        waiting.shift()?.()
      })
    flying.add(flight)
    return done
  }

  return {
    evaluate: (pageId, results) => evaluate(pageId, [...new Set(results.map(({ beat_id }) => beat_id))], results),
    async ask({ id, page_id }) {
      const answered = Promise.withResolvers<void>()
      asked.push({ id, page_id, answered })
      inTurn(page_id, evaluateAsked).catch(() => {})
      await answered.promise
    },
    async cannot({ id, page_id }, why) {
      const again = await inTurn(page_id, () =>
        inUnitOfWork(services, page_id, (scene) => markUnchecked(scene, id, why)),
      )
      return again === null
    },
    async close() {
      closed = true
      for (const go of waiting.splice(0)) go()
      await Promise.allSettled(flying)
      for (const { answered } of asked) answered.resolve()
    },
  }
}
