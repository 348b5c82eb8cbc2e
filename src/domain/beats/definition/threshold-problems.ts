import type { FieldError } from '../../kernel/errors.ts'
import { checkedDescriptionOf, checkedTypes, isReported } from '../types/index.ts'
import type { ThresholdPolicies, ThresholdRule } from './thresholds.ts'

/** Finds conditions of threshold rules that the checks of the beat can never meet. Pure. */

interface Evaluated {
  type: string
  target: Record<string, unknown>
  regions: string[]
  threshold_policies: ThresholdPolicies
}

/** The fields of a request. A condition that cannot be met is reported at the field that is new. */
interface Requested {
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

const measuring = checkedTypes(({ measuresPacketLoss }) => measuresPacketLoss === true)

/** Why a condition can never be met, and because of which field. */
const unmet: Record<Condition, (beat: Evaluated, limit: number) => Unmet | null> = {
  latency_ms_over: ({ type }) =>
    isReported(type) ? { because: `a beat of the type ${type} measures no latency`, side: 'type' } : null,
  packet_loss_over: ({ type }) =>
    measuring.includes(type)
      ? null
      : {
          because: `only a beat of the type ${measuring.join(' or ')} measures packet loss, and this beat has the type ${type}`,
          side: 'type',
        },
  certificate_days_under: ({ type, target }) => certificates(type, target),
  regions_failing: ({ type, regions }, limit) => {
    if (isReported(type)) return { because: `no region checks a beat of the type ${type}`, side: 'type' }
    if (limit <= regions.length) return null
    const from = regions.length === 1 ? 'one region' : `${regions.length} regions`
    return { because: `${limit} is more than the number of regions: the beat has ${from}`, side: 'regions' }
  },
}

function certificates(type: string, { url, follow_redirects }: Record<string, unknown>): Unmet | null {
  const seen = checkedDescriptionOf(type)?.certificate
  if (seen === undefined) return { because: `a check of the type ${type} sees no certificate`, side: 'type' }
  if (seen === 'always' || follow_redirects !== false || URL.parse(String(url))?.protocol === 'https:') return null
  return { because: 'a check of an http:// URL that follows no redirects sees no certificate', side: 'target' }
}

const rules = ['warning_rule', 'critical_rule'] as const

/**
 * Conditions that can never be met. Reported at the rule if the request has rules, else at the field of the request that
 * makes the rule impossible; a request without both is accepted.
 */
export function impossibleThresholds(beat: Evaluated, request: Requested): FieldError[] {
  return rules.flatMap((name) =>
    Object.entries(beat.threshold_policies[name] ?? {}).flatMap(([condition, limit]) => {
      const found = unmet[condition as Condition]?.(beat, limit as number)
      if (!found) return []
      const at = `threshold_policies.${name}.${condition as keyof ThresholdRule}`
      if (request.threshold_policies !== undefined) return { path: at, message: found.because }
      const path = ([found.side, 'type'] as const).find((side) => request[side] !== undefined)
      return path === undefined ? [] : { path, message: `contradicts the stored ${at}: ${found.because}` }
    }),
  )
}
