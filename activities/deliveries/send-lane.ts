import type { Slots } from './slots.ts'

export interface Lane<T> {
  name: string
  slots: Slots
  signal: AbortSignal
  /** Takes up to so many items that are due; none when nothing is due. */
  claim(most: number): Promise<T[]>
  /** Whether the claim of the item lasts as long as an attempt. A claim that does not is left to end. */
  lasts(item: T): boolean
  addressOf(item: T): string
  /** Sends one and stores its outcome. */
  send(item: T): Promise<void>
  /** After how long a lane looks again for what became due while something is sent. */
  lookAgainMs?: number
}

export const LOOK_AGAIN_MS = 1000

/** How many items are claimed at once: a claim is a transaction, whatever its size. */
const CLAIMED = 128

/**
 * Sends what is due, as many at once as there are slots and one at a time to an address: a slow receiver keeps one slot and
 * delays no other, however many notifications there are.
 */
export async function sendLane<T>(lane: Lane<T>): Promise<void> {
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
      .catch(fail)
      .finally(() => {
        inFlight.delete(one)
        slots.give(name, 1)
        goOn()
      })
    slots.keepBusy(keyOf(item), one)
    inFlight.add(one)
  }

  const keyOf = (item: T) => `${name} ${addressOf(item)}`
  const isFree = (item: T) => slots.busy(keyOf(item)) === undefined

  /** Starts as many of these items as there are slots. */
  async function startSome(free: T[]): Promise<void> {
    const taken = await slots.take(name, free.length)
    // Another lane may have taken an address meanwhile, or a claim may have ended.
    const started = signal.aborted ? [] : free.filter((item) => isFree(item) && lasts(item)).slice(0, taken)
    slots.give(name, taken - started.length)
    waiting = waiting.filter((item) => !started.includes(item))
    for (const item of started) start(item)
  }

  const looking = setInterval(() => {
    isAllClaimed = false
    goOn()
  }, lookAgainMs)
  try {
    while (!signal.aborted && problem === undefined) {
      waiting = waiting.filter(lasts)
      if (waiting.length < CLAIMED / 2 && !isAllClaimed) refill()
      if (waiting.length === 0 && inFlight.size === 0 && !claiming) return
      const free = waiting.filter(isFree)
      if (free.length > 0) {
        await startSome(free)
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
