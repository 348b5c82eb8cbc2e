import type { Slots } from './slots.ts'

export interface Lane<T> {
  name: string
  slots: Slots
  signal: AbortSignal
  /** Takes up to so many items that are due; none when nothing is due. */
  claim(most: number): Promise<T[]>
  /** Sends one and stores its outcome. */
  send(item: T): Promise<void>
}

/** How many items are claimed at once. */
const MOST = 16

/** Sends what is due, always as many at once as there are slots: a slow receiver keeps one slot and delays no other. */
export async function sendLane<T>({ name, slots, signal, claim, send }: Lane<T>): Promise<void> {
  const inFlight = new Set<Promise<void>>()
  let problem: unknown
  try {
    while (!signal.aborted && problem === undefined) {
      const taken = await slots.take(name, MOST)
      let items: T[] = []
      try {
        items = signal.aborted ? [] : await claim(taken)
      } finally {
        slots.give(name, taken - items.length)
      }
      if (items.length === 0 && inFlight.size === 0) return
      for (const item of items) {
        const one = send(item)
          .catch((error) => {
            problem ??= error
          })
          .finally(() => {
            inFlight.delete(one)
            slots.give(name, 1)
          })
        inFlight.add(one)
      }
      if (items.length === 0) await Promise.race(inFlight)
    }
  } finally {
    await Promise.all(inFlight)
  }
  if (problem !== undefined) throw problem
}
