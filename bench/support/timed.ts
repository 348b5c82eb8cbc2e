export interface Times {
  p50: number
  p95: number
}

/** Does the work so many times. The first tenth warms up and does not count, nor does what is done `before` each. */
export async function timed(
  count: number,
  work: (index: number) => Promise<void>,
  before?: () => Promise<void>,
): Promise<Times> {
  const times: number[] = []
  for (let index = Math.round(-count / 10); index < count; index += 1) {
    await before?.()
    const time = await timeOf(() => work(index))
    if (index >= 0) times.push(time)
  }
  return timesOf(times)
}

export async function timeOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

export function timesOf(times: number[]): Times {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  return { p50: at(0.5), p95: at(0.95) }
}
