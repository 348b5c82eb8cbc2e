/** The clock of leases, and their sleep; tests bring their own. */
export interface Timers {
  now(): number
  /** Answers how to call it off. */
  after(ms: number, run: () => void): () => void
}

export const realTimers: Timers = {
  now: Date.now,
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
