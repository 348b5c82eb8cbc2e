import { MAINTENANCE, OPERATIONAL } from './rules.ts'

/** What a new page starts with. The order is the severity of status types and the sequence of stages. */

export const defaultStatusTypes = [
  { key: OPERATIONAL, name: 'Operational', description: 'Works as it should.', icon: 'check', color: '#2f9e44' },
  {
    key: MAINTENANCE,
    name: 'Maintenance',
    description: 'Planned work is under way.',
    icon: 'wrench',
    color: '#1c7ed6',
  },
  { key: 'degraded', name: 'Degraded', description: 'Works, but worse than usual.', icon: 'minus', color: '#e8a500' },
  { key: 'partial_outage', name: 'Partial outage', description: 'Down for some.', icon: 'alert', color: '#e8590c' },
  { key: 'major_outage', name: 'Major outage', description: 'Down for most or all.', icon: 'cross', color: '#c92a2a' },
]

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
