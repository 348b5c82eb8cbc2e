/**
 * Latencies are counted in buckets, each a tenth wider than the bucket before: bucket n counts latencies above 1.1^(n-1) ms
 * and up to 1.1^n ms. A percentile is the middle of a bucket, so its error is at most the square root of 1.1, less than five
 * percent. Rounding to whole milliseconds may add half a millisecond; the lowest latency is one millisecond.
 */
const WIDER = 1.1

const middleOf = (bucket: number) => Math.round(WIDER ** (bucket - 0.5))

export type Latencies = Record<string, number>

export function addLatencies(to: Latencies, counts: Latencies): void {
  for (const [bucket, count] of Object.entries(counts)) to[bucket] = (to[bucket] ?? 0) + count
}

const asked = { p50: 0.5, p95: 0.95, p99: 0.99 }
export type Percentiles = { [name in keyof typeof asked]: number | null }

/** The latency that a share of all checks does not exceed, by the nearest rank. */
export function percentilesOf(counts: Latencies): Percentiles {
  const buckets = Object.entries(counts)
    .map(([bucket, count]) => ({ bucket: Number(bucket), count }))
    .sort((a, b) => a.bucket - b.bucket)
  const total = buckets.reduce((sum, { count }) => sum + count, 0)
  const rank = (share: number) => {
    let left = Math.max(1, Math.ceil(share * total))
    const found = buckets.find(({ count }) => {
      left -= count
      return left <= 0
    })
    return found ? middleOf(found.bucket) : null
  }
  return { p50: rank(asked.p50), p95: rank(asked.p95), p99: rank(asked.p99) }
}
