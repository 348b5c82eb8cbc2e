import { setTimeout as sleep } from 'node:timers/promises'

/** Looks again and again until it holds; says what it saw last if it never does. */
export async function until<T>(
  look: () => Promise<T> | T,
  holds: (seen: T) => boolean,
  patienceMs = 30_000,
): Promise<T> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const seen = await look()
    if (holds(seen)) return seen
    if (Date.now() > deadline) throw new Error(`not within ${patienceMs} ms; seen last: ${JSON.stringify(seen)}`)
    await sleep(5)
  }
}
