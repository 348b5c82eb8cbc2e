import { type Scale, type StatusPoint, secondsBetween, uptimeOf } from '../../uptime/uptime-rules.ts'
import type { Window } from '../definition/range-rules.ts'
import type { Series } from './figures-rules.ts'
import { percentilesOf } from './latency-rules.ts'

export type Change = StatusPoint

const scale: Scale = { weightOf: (stage) => (stage === 'healthy' ? 0 : 1), severityOf: () => 0 }

/** The figures of a beat without checks: its uptime is the share of the known time in the stage healthy. */
export function healthySeries(changes: Change[], { from, to, points, resolution_seconds }: Window): Series {
  const [first] = changes
  const since = first?.at ?? Number.POSITIVE_INFINITY
  const nothing = { checks: 0, failures: 0, latency_ms: percentilesOf({}) }
  const during = (start: number, end: number) => {
    const [seconds = {}] = secondsBetween({ first: '', points: changes }, [start, Math.min(end, to.getTime())], since)
    return { ...nothing, uptime_percent: uptimeOf(seconds, scale).uptime_percent }
  }
  return {
    ...during(from.getTime(), to.getTime()),
    points: points.map((at) => ({ at, ...during(at, at + resolution_seconds * 1000) })),
  }
}
