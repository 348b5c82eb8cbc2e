import { observeResults } from '../../src/domain/beats/judged.ts'
import { unchecked } from '../../src/domain/beats/unchecked.ts'
import { inScene } from '../../src/domain/kernel/in-scene.ts'
import type { Services } from '../../src/domain/kernel/services.ts'

/** When very many beats change their stage at once, steps and operations need connections, too. */
const WIDTH = 4

interface Which {
  id: number
  page_id: number
}

export interface Reports {
  ask(beat: Which): Promise<void>
  /** A beat cannot be checked from a region. True once that is said of it, or need not be. */
  cannot(beat: Which, why: { region: string; because: string }): Promise<boolean>
  /** Asks no more, and waits for the answers that are under way: the next lease asks for the rest. */
  close(): Promise<void>
}

/** Tells what leases have found out about beats, a few at a time. */
export function openReports(services: Services): Reports {
  const waiting: (() => void)[] = []
  const flying = new Set<Promise<void>>()
  let closed = false

  async function judge({ id, page_id }: Which): Promise<void> {
    const transition = await inScene(services, page_id, (scene) => observeResults(scene, id))
    if (transition) services.pageChanged(page_id)
  }

  async function inTurn<T>(beat: Which, tell: () => Promise<T>): Promise<T | undefined> {
    while (flying.size >= WIDTH && !closed) await new Promise<void>((resolve) => waiting.push(resolve))
    if (closed) return undefined
    const told = tell()
    const flight = told
      .then(
        () => {},
        (error) =>
          services.logger.warn(
            { beat_id: beat.id, err: error },
            'what was seen of a beat could not be judged; it is tried again',
          ),
      )
      .finally(() => {
        flying.delete(flight)
        waiting.shift()?.()
      })
    flying.add(flight)
    return told
  }

  return {
    ask: (beat) => inTurn(beat, () => judge(beat)),
    async cannot(beat, why) {
      const again = await inTurn(beat, () => inScene(services, beat.page_id, (scene) => unchecked(scene, beat.id, why)))
      return again === null
    },
    async close() {
      closed = true
      for (const go of waiting.splice(0)) go()
      await Promise.allSettled(flying)
    },
  }
}
