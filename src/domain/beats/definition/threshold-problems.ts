import type { FieldError } from '../../kernel/errors.ts'
import { isReported } from '../types/index.ts'
import type { ThresholdPolicies, ThresholdRule } from './thresholds.ts'

/** What a rule asks for must be something that the checks of the beat can see. Pure. */

interface Judged {
  type: string
  target: Record<string, unknown>
  regions: string[]
  threshold_policies: ThresholdPolicies
}

/** What a request says of that: a rule that cannot be met is found at the side that is new. */
interface Said {
  threshold_policies?: unknown
  target?: unknown
  type?: unknown
  regions?: unknown
}

type Condition = 'latency_ms_over' | 'packet_loss_over' | 'certificate_days_under' | 'regions_failing'
type Side = 'type' | 'target' | 'regions'
interface Unmet {
  because: string
  side: Side
}

const http: readonly string[] = ['http', 'api', 'latency']

/** Why a condition can never be met, and by which other side. */
const unmet: Record<Condition, (beat: Judged, limit: number) => Unmet | null> = {
  latency_ms_over: ({ type }) =>
    isReported(type) ? { because: `a beat of the type ${type} measures no latency`, side: 'type' } : null,
  packet_loss_over: ({ type }) =>
    type === 'ping'
      ? null
      : { because: `only a beat of the type ping measures that, and this is ${type}`, side: 'type' },
  certificate_days_under: ({ type, target }) => certificates(type, target),
  regions_failing: ({ type, regions }, limit) => {
    if (isReported(type)) return { because: `a beat of the type ${type} is checked from no region`, side: 'type' }
    if (limit <= regions.length) return null
    const from = regions.length === 1 ? 'one region' : `${regions.length} regions`
    return { because: `${limit} is more than there are: the beat is checked from ${from}`, side: 'regions' }
  },
}

function certificates(type: string, { url, follow_redirects }: Record<string, unknown>): Unmet | null {
  if (type === 'tls') return null
  if (!http.includes(type)) return { because: `a beat of the type ${type} sees no certificate`, side: 'type' }
  if (follow_redirects !== false || URL.parse(String(url))?.protocol === 'https:') return null
  return { because: 'a check of an http:// URL that follows no redirects sees no certificate', side: 'target' }
}

const rules = ['warning_rule', 'critical_rule'] as const

/**
 * What can never be met. Named at the rule where the request says the rules, else at what it says instead; a request
 * that says neither has made nothing worse.
 */
export function impossibleThresholds(beat: Judged, said: Said): FieldError[] {
  return rules.flatMap((name) =>
    Object.entries(beat.threshold_policies[name] ?? {}).flatMap(([condition, limit]) => {
      const found = unmet[condition as Condition]?.(beat, limit as number)
      if (!found) return []
      const at = `threshold_policies.${name}.${condition as keyof ThresholdRule}`
      if (said.threshold_policies !== undefined) return { path: at, message: found.because }
      const path = ([found.side, 'type'] as const).find((side) => said[side] !== undefined)
      return path === undefined ? [] : { path, message: `does not go with the stored ${at}: ${found.because}` }
    }),
  )
}
