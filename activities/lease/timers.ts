/** The clock and the timers of leases; tests pass their own. */
export interface Timers {
  now(): number
  /** Returns a function that cancels the timer. */
  after(ms: number, run: () => void): () => void
}

export const realTimers: Timers = {
  now: Date.now,
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
