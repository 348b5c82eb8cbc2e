import type { Situation } from '../../../src/domain/agent/language/types.ts'

/** The page that all tables of phrasings refer to. It is a Wednesday, 15:30 in Berlin. */
export const situation: Situation = {
  now: new Date('2027-03-10T14:30:00Z'),
  zone: 'Europe/Berlin',
  items: [
    { id: 1, name: 'Shop' },
    { id: 2, name: 'Platform' },
    { id: 3, name: 'Checkout' },
    { id: 4, name: 'Payments API', aliases: ['payments-api', 'PAY'] },
    { id: 5, name: 'Search' },
    { id: 6, name: 'Website' },
    { id: 7, name: 'Mobile App' },
    { id: 8, name: 'EU Datacenter' },
    { id: 9, name: 'Login' },
    { id: 10, name: 'Emails' },
  ],
  incidents: [
    { id: 41, name: 'Checkout is slow', state: 'open', items: [3] },
    { id: 42, name: 'Emails are delayed', state: 'open', items: [10] },
    { id: 38, name: 'Search outage', state: 'resolved', items: [5] },
    { id: 37, name: 'Login errors', state: 'resolved', items: [9] },
  ],
  maintenances: [
    { id: 51, name: 'Database upgrade', state: 'scheduled', items: [4] },
    { id: 52, name: 'Router replacement', state: 'in_progress', items: [8] },
    { id: 53, name: 'Mail server move', state: 'scheduled', items: [10] },
  ],
  series: [{ id: 61, name: 'Weekly backup' }],
  beats: [
    { id: 71, name: 'Checkout health' },
    { id: 72, name: 'Search latency' },
    { id: 73, name: 'Payments ping' },
  ],
  beat_groups: [{ id: 81, name: 'Shop beats' }],
  actions: [
    { id: 91, name: 'Search latency' },
    { id: 92, name: 'Shop beats' },
  ],
  endpoints: [{ id: 21, name: 'Alertmanager' }],
  incidentStages: ['Investigating', 'Identified', 'Monitoring'],
  statusTypes: [
    { key: 'operational', name: 'Operational' },
    { key: 'maintenance', name: 'Under maintenance' },
    { key: 'degraded', name: 'Degraded performance' },
    { key: 'partial_outage', name: 'Partial outage' },
    { key: 'major_outage', name: 'Major outage' },
  ],
}
