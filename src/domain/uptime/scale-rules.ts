import { MAINTENANCE } from '../vocabulary/rules.ts'
import type { Scale } from './uptime-rules.ts'

interface Type {
  key: string
  display_order: number
  is_operational: boolean
  uptime_weight: number
}

interface Policy {
  maintenanceCountsAsUp: boolean
}

/** The part of the time in each status type that counts as down. */
export function weightsOf(types: Type[], { maintenanceCountsAsUp }: Policy): Record<string, number> {
  const isUp = ({ key, is_operational }: Type) => is_operational || (maintenanceCountsAsUp && key === MAINTENANCE)
  return Object.fromEntries(types.map((type) => [type.key, isUp(type) ? 0 : type.uptime_weight]))
}

/** A status without a status type counts as down, and as mild. */
export function scaleOf(types: Type[], policy: Policy): Scale {
  const weights = new Map(Object.entries(weightsOf(types, policy)))
  const severities = new Map(types.map((type) => [type.key, type.display_order]))
  return {
    weightOf: (status) => weights.get(status) ?? 1,
    severityOf: (status) => severities.get(status) ?? -1,
  }
}
