export interface Periodic {
  /** Once now; what runs already is not done twice. */
  now(): Promise<void>
  close(): Promise<void>
}

interface Options {
  everyMs: number
  onFailure(error: unknown): void
}

/** Does it again and again, never twice at once; what fails is done again the next time. */
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
