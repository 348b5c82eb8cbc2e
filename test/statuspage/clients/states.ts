import type { TestService } from '../../support/test-service.ts'

/** The state of a page, and what the clients have to read of it. */
export interface State {
  name: string
  enter(service: TestService): Promise<unknown>
  indicator: 'none' | 'minor' | 'major' | 'critical'
  description: string
  component: string
  /** The entries of the incident, newest first, if the page has one. */
  incident?: string[]
  isOpen?: boolean
  maintenance?: string[]
}

const CALM = 'All Systems Operational'

/** Each state follows from the state before it. */
export const states: State[] = [
  {
    name: 'calm',
    enter: async () => {},
    ...{ indicator: 'none', description: CALM, component: 'operational' },
  },
  {
    name: 'minor',
    enter: ({ admin }) =>
      admin.post('/admin/incidents', { title: 'Search is slow', status: 'degraded', affected_items: [{ id: 2 }] }),
    ...{ indicator: 'minor', description: 'Minor Service Outage', component: 'degraded_performance' },
    ...{ incident: ['investigating'], isOpen: true },
  },
  {
    name: 'major',
    enter: ({ admin }) =>
      admin.post('/admin/incidents/1/updates', {
        ...{ message: 'A region is down.', status: 'partial_outage', lifecycle_stage_name: 'Identified' },
      }),
    ...{ indicator: 'major', description: 'Partial System Outage', component: 'partial_outage' },
    ...{ incident: ['identified', 'investigating'], isOpen: true },
  },
  {
    name: 'critical',
    enter: ({ admin }) =>
      admin.post('/admin/incidents/1/updates', {
        ...{ message: 'All regions are down.', status: 'major_outage', lifecycle_stage_name: 'Monitoring' },
      }),
    ...{ indicator: 'critical', description: 'Major Service Outage', component: 'major_outage' },
    ...{ incident: ['monitoring', 'identified', 'investigating'], isOpen: true },
  },
  {
    name: 'resolved incident',
    enter: ({ admin }) => admin.post('/admin/incidents/1/resolve', { resolution_message: 'Over.' }),
    ...{ indicator: 'none', description: CALM, component: 'operational' },
    incident: ['resolved'],
  },
  {
    name: 'postmortem published',
    enter: async ({ admin }) => {
      await admin.request('PUT', '/admin/incidents/1/report', { title: 'Why', body: 'A disk was full.' })
      return admin.post('/admin/incidents/1/report/publish')
    },
    ...{ indicator: 'none', description: CALM, component: 'operational' },
    incident: ['postmortem'],
  },
  {
    name: 'maintenance planned',
    enter: ({ admin }) =>
      admin.post('/admin/maintenances', {
        ...{ title: 'Upgrade', affected_items: [{ id: 2 }] },
        scheduled_start_time: new Date(Date.now() + 3_600_000).toISOString(),
        scheduled_end_time: new Date(Date.now() + 7_200_000).toISOString(),
      }),
    ...{ indicator: 'none', description: CALM, component: 'operational' },
    ...{ incident: ['postmortem'], maintenance: ['scheduled'] },
  },
  {
    name: 'maintenance active',
    enter: ({ admin }) => admin.post('/admin/maintenances/1/start', { message: 'We begin.' }),
    ...{ indicator: 'none', description: 'Service Under Maintenance', component: 'under_maintenance' },
    ...{ incident: ['postmortem'], maintenance: ['in_progress', 'scheduled'] },
  },
]
