export interface Random {
  /** At least 0, below 1. */
  next(): number
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  pick<T>(list: readonly T[]): T
  chance(share: number): boolean
}

/** mulberry32: the same seed gives the same choices, so that a run that failed can be tried again. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    between,
    pick: (list) => list[between(0, list.length - 1)]!,
    chance: (share) => next() < share,
  }
}
