export interface Held<T> {
  result: T
  /** The longest time that the event loop was held in one go, in ms of CPU of its thread. */
  longestMs: number
  elapsedMs: number
}

/** Runs something while the event loop turns as fast as it can, and looks at each turn how much CPU time that turn took. */
export async function longestHold<T>(run: () => Promise<T>): Promise<Held<T>> {
  let longestMs = 0
  let isOver = false
  let before = cpuMs()
  const turn = () => {
    const now = cpuMs()
    longestMs = Math.max(longestMs, now - before)
    before = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const started = performance.now()
  try {
    const result = await run()
    const elapsedMs = performance.now() - started
    await new Promise(setImmediate)
    return { result, longestMs, elapsedMs }
  } finally {
    isOver = true
  }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
