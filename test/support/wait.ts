import { setTimeout as sleep } from 'node:timers/promises'
import { inspect } from 'node:util'

/** A machine of any speed gets there: a wait ends when nothing has changed for a minute, not after a time. */
const LONGEST_REST_MS = 60_000
/** For a value that changes for ever and never holds. */
const LONGEST_WAIT_MS = 10 * 60_000
const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 50

/**
 * Looks again and again until the value holds. Gives up when the value has not changed for a minute, and shows it.
 * A look that fails shows its error: a server that is too busy to answer is asked again.
 */
export async function until<T>(look: () => Promise<T> | T, holds: (seen: T) => boolean): Promise<T> {
  const begun = performance.now()
  let changedAt = begun
  let before: string | undefined
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.2, LONGEST_PAUSE_MS)) {
    const began = performance.now()
    const { seen, error } = await answerOf(look)
    if (!error && holds(seen as T)) return seen as T
    const now = performance.now()
    const shown = error ? String(error) : textOf(seen)
    if (shown !== before) [before, changedAt] = [shown, now]
    if (now - changedAt > LONGEST_REST_MS)
      throw new Error(`no change for ${LONGEST_REST_MS} ms; the last value: ${shown}`, { cause: error })
    if (now - begun > LONGEST_WAIT_MS)
      throw new Error(`not within ${LONGEST_WAIT_MS} ms; the last value: ${shown}`, { cause: error })
    // A look that takes long leaves the machine at least as much time for what it waits for.
    await sleep(Math.max(pause, now - began))
  }
}

async function answerOf<T>(look: () => Promise<T> | T): Promise<{ seen?: T; error?: Error }> {
  try {
    return { seen: await look() }
  } catch (thrown) {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }
}

/** Waits until the clock shows this moment. */
export async function passed(moment: Date): Promise<void> {
  await sleep(Math.max(0, moment.getTime() - Date.now()))
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return inspect(value, { depth: 5 })
  }
}
