import type { StatuspageView } from '../domain/statuspage/read.ts'

/** Statuses of a page in the words of the Statuspage API. Pure: no clock, no database. */

type ComponentStatus = 'operational' | 'under_maintenance' | 'degraded_performance' | 'partial_outage' | 'major_outage'

export type Impact = 'none' | 'minor' | 'major' | 'critical'
type Indicator = Impact | 'maintenance'

type StatusType = StatuspageView['status_types'][number]

const byKey = new Map<string, ComponentStatus>([
  ['maintenance', 'under_maintenance'],
  ['degraded', 'degraded_performance'],
  ['partial_outage', 'partial_outage'],
  ['major_outage', 'major_outage'],
])

/**
 * The status of a component with this status type. A type that the original does not have counts as the nearest milder one, at
 * least as `degraded_performance`.
 */
export function componentStatus(types: StatusType[], key: string): ComponentStatus {
  const type = types.find((one) => one.key === key)
  if (type ? type.is_operational : key === 'operational') return 'operational'
  const known = byKey.get(key)
  if (known) return known
  const milder = types
    .filter((one) => type && one.display_order < type.display_order && byKey.has(one.key))
    .sort((a, b) => b.display_order - a.display_order)
    .at(0)
  const found = milder && byKey.get(milder.key)!
  return found === undefined || found === 'under_maintenance' ? 'degraded_performance' : found
}

const impacts: Record<ComponentStatus, Impact> = {
  operational: 'none',
  under_maintenance: 'none',
  degraded_performance: 'minor',
  partial_outage: 'major',
  major_outage: 'critical',
}

export const impactOf = (status: ComponentStatus): Impact => impacts[status]

const order: Indicator[] = ['none', 'maintenance', 'minor', 'major', 'critical']

const indicatorOf = (status: ComponentStatus): Indicator =>
  status === 'under_maintenance' ? 'maintenance' : impacts[status]

/** The worst state of components, open incidents and maintenances in progress, with the phrase of the original. */
export function overallStatus(
  { status_types, items, incidents, maintenances }: StatuspageView,
  { showsMaintenance }: { showsMaintenance: boolean },
): { indicator: Indicator; description: string } {
  const ofRecords = (records: { status: string }[]) =>
    records.map(({ status }) => indicatorOf(componentStatus(status_types, status)))
  const open = ofRecords(incidents.filter(({ resolved_at }) => !resolved_at))
  const work: Indicator[] = maintenances.some(({ status }) => status === 'in_progress') ? ['maintenance'] : []
  const all = [...ofRecords(items), ...open, ...work]
  const worst = order.findLast((indicator) => all.includes(indicator)) ?? 'none'
  const description = worst === 'minor' && !open.includes('minor') ? 'Partially Degraded Service' : phrases[worst]
  return { indicator: worst === 'maintenance' && !showsMaintenance ? 'none' : worst, description }
}

const phrases: Record<Indicator, string> = {
  none: 'All Systems Operational',
  maintenance: 'Service Under Maintenance',
  minor: 'Minor Service Outage',
  major: 'Partial System Outage',
  critical: 'Major Service Outage',
}
