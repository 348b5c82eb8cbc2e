import type { Slots } from './slots.ts'

export interface Lane<T, O = unknown> {
  name: string
  slots: Slots
  signal: AbortSignal
  /** Takes up to so many items that are due; none when nothing is due. */
  claim(most: number): Promise<T[]>
  /** Whether the claim of the item lasts as long as an attempt. A claim that does not is left to end. */
  lasts(item: T): boolean
  addressOf(item: T): string
  send(item: T): Promise<O>
  /** Stores the outcome of one. */
  save(outcome: O): Promise<void>
  /** After how long a lane looks again for what became due while something is sent. */
  lookAgainMs?: number
}

export const LOOK_AGAIN_MS = 1000

/** How many items are claimed at once: a claim is a transaction, whatever its size. With half as many, sending takes 5 percent longer. */
const CLAIMED = 256

/**
 * Sends what is due, as many at once as there are slots and one at a time to an address: a slow receiver keeps one slot and
 * delays no other, however many notifications there are.
 */
export async function sendLane<T, O>(lane: Lane<T, O>): Promise<void> {
  const { name, slots, signal, claim, lasts, addressOf, lookAgainMs = LOOK_AGAIN_MS } = lane
  const inFlight = new Set<Promise<void>>()
  let waiting: T[] = []
  let claiming: Promise<void> | undefined
  /** Nothing was due at the last claim. A retry can become due while a slow receiver is waited for. */
  let isAllClaimed = false
  let problem: unknown
  /** Resolved whenever items were claimed or one was sent. */
  let progress = Promise.withResolvers<void>()
  const goOn = () => {
    progress.resolve()
    progress = Promise.withResolvers()
  }
  const fail = (error: unknown) => {
    problem ??= error
  }

  /** The next items are claimed while the last ones are sent. */
  function refill(): void {
    claiming ??= claim(CLAIMED)
      .then((items) => {
        waiting.push(...items)
        isAllClaimed = items.length === 0
      }, fail)
      .finally(() => {
        claiming = undefined
        goOn()
      })
  }

  function start(item: T): void {
    const one = lane
      .send(item)
      .finally(() => slots.answered(name, 1))
      .then(lane.save)
      .catch(fail)
      .finally(() => {
        inFlight.delete(one)
        slots.give(1)
        goOn()
      })
    slots.keepBusy(keyOf(item), one)
    inFlight.add(one)
  }

  const keyOf = (item: T) => `${name} ${addressOf(item)}`
  const isFree = (item: T) => slots.busy(keyOf(item)) === undefined

  /** Starts as many of the items that wait as there are slots. Another lane may have taken an address meanwhile. */
  async function startSome(): Promise<void> {
    const taken = await slots.take(name, waiting.length)
    const most = signal.aborted ? 0 : taken
    let started = 0
    waiting = waiting.filter((item) => {
      if (started === most || !isFree(item)) return true
      if (!lasts(item)) return false
      start(item)
      started += 1
      return false
    })
    slots.answered(name, taken - started)
    slots.give(taken - started)
  }

  const looking = setInterval(() => {
    isAllClaimed = false
    goOn()
  }, lookAgainMs)
  try {
    while (!signal.aborted && problem === undefined) {
      if (waiting.length < CLAIMED / 2 && !isAllClaimed) refill()
      if (waiting.length === 0 && inFlight.size === 0 && !claiming) return
      if (waiting.some(isFree)) {
        await startSome()
        continue
      }
      // Nothing is awaited since the last look, so every item that waits is busy.
      const busy = waiting.flatMap((item) => slots.busy(keyOf(item)) ?? [])
      await Promise.race([progress.promise, ...busy])
    }
  } finally {
    clearInterval(looking)
    await Promise.all([...inFlight, claiming])
  }
  if (problem !== undefined) throw problem
}
