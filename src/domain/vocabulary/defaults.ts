import { MAINTENANCE, OPERATIONAL } from './rules.ts'

/** The vocabulary of a new page. The order is the severity of status types and the sequence of stages. */

export const defaultStatusTypes = [
  type(OPERATIONAL, 'Operational', 'Works as it should.', 'check', '#2f9e44', 0),
  type(MAINTENANCE, 'Maintenance', 'Planned work is under way.', 'wrench', '#1c7ed6', 1),
  type('degraded', 'Degraded', 'Works, but worse than usual.', 'minus', '#e8a500', 0),
  type('partial_outage', 'Partial outage', 'Down for some.', 'alert', '#e8590c', 1),
  type('major_outage', 'Major outage', 'Down for most or all.', 'cross', '#c92a2a', 1),
]

function type(key: string, name: string, description: string, icon: string, color: string, uptime_weight: number) {
  return { key, name, description, icon, color, uptime_weight }
}

export const defaultIncidentStages = [
  { name: 'Investigating', description: 'We are looking for the cause.', color: '#c92a2a' },
  { name: 'Identified', description: 'We know the cause and work on it.', color: '#e8590c' },
  { name: 'Monitoring', description: 'A fix is in place and we watch it.', color: '#1c7ed6' },
  { name: 'Resolved', description: 'It is over.', color: '#2f9e44' },
]

export const defaultMaintenanceStages = [
  { name: 'Scheduled', description: 'Planned.', color: '#1c7ed6' },
  { name: 'In progress', description: 'Under way.', color: '#e8a500' },
  { name: 'Completed', description: 'Done.', color: '#2f9e44' },
  { name: 'Cancelled', description: 'Will not happen.', color: '#868e96' },
]

export const defaultLevels = [
  { depth: 1, singular: 'Product', plural: 'Products' },
  { depth: 2, singular: 'Service', plural: 'Services' },
  { depth: 3, singular: 'Component', plural: 'Components' },
]
