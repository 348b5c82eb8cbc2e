export interface Periodic {
  /** Runs the work now, or waits for the run in progress. */
  now(): Promise<void>
  close(): Promise<void>
}

interface Options {
  everyMs: number
  onFailure(error: unknown): void
}

/** Runs the work at an interval, one run at a time. */
export function periodically(work: () => Promise<void>, { everyMs, onFailure }: Options): Periodic {
  let running: Promise<void> | undefined
  const now = () => {
    running ??= work()
      .catch(onFailure)
      .finally(() => {
        running = undefined
      })
    return running
  }
  const timer = setInterval(now, everyMs)
  return {
    now,
    async close() {
      clearInterval(timer)
      await running
    },
  }
}
