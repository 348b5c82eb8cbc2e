import { addLatencies, type Latencies, type Percentiles, percentilesOf } from './latency-rules.ts'

/** The counts of some checks. */
export interface Tally {
  checks: number
  failures: number
  latencies: Latencies
}

export interface Figures {
  checks: number
  failures: number
  uptime_percent: number | null
  latency_ms: Percentiles
}

const empty = (): Tally => ({ checks: 0, failures: 0, latencies: {} })

function add(to: Tally, { checks, failures, latencies }: Tally): void {
  to.checks += checks
  to.failures += failures
  addLatencies(to.latencies, latencies)
}

/** Uptime is the share of successful checks. */
function figuresOf({ checks, failures, latencies }: Tally): Figures {
  const uptime = checks === 0 ? null : Math.round((1 - failures / checks) * 1_000_000) / 10_000
  return { checks, failures, uptime_percent: uptime, latency_ms: percentilesOf(latencies) }
}

export interface Series extends Figures {
  points: ({ at: number } & Figures)[]
}

/** The figures of the whole range and of each point; `points` are the starts of the points, `stepMs` is their length. */
export function seriesOf(counts: (Tally & { at: number })[], points: number[], stepMs: number): Series {
  const all = empty()
  const tallies = points.map(empty)
  for (const count of counts) {
    const tally = tallies[Math.floor((count.at - points[0]!) / stepMs)]
    if (!tally) continue
    add(tally, count)
    add(all, count)
  }
  return { ...figuresOf(all), points: tallies.map((tally, index) => ({ at: points[index]!, ...figuresOf(tally) })) }
}
