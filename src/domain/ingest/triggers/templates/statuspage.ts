import type { TriggerTemplate } from './schema.ts'

const connecting =
  'Subscribe to the status page of the supplier by webhook: enter the address with the token in its path.'
const meta = { documentation: 'https://status.example/docs' }
const page = { id: 'x1example2page', status_indicator: 'major', status_description: 'Partial System Outage' }

export const statuspageIncidents: TriggerTemplate = {
  provider_type: 'statuspage',
  name: 'Statuspage incidents',
  description: 'Subscription to a page of Atlassian Statuspage: each incident of the supplier sets a stage.',
  trigger: {
    name: 'Statuspage incidents',
    conditions: { path: '$.incident.id', operator: 'exists' },
    stage_mapping: {
      state_path: '$.incident.status',
      values: {
        investigating: 'critical',
        identified: 'critical',
        monitoring: 'warning',
        resolved: 'healthy',
        postmortem: 'healthy',
      },
    },
    output_mapping: {
      fingerprint_path: '$.incident.id',
      summary_path: '$.incident.name',
      error_message_path: '$.incident.incident_updates[0].body',
      observed_at_path: '$.incident.updated_at',
    },
    safety_settings: { public_post_mode: 'draft_only' },
    draft: true,
  },
  notes: [
    connecting,
    'Scheduled maintenances have states of their own (`scheduled`, `in_progress`, …), which have no stage in the draft.',
    'For severe incidents only, add the condition that `$.incident.impact` is in `major` and `critical`.',
  ],
  example: {
    meta,
    page,
    incident: {
      id: 'k7example9incident',
      name: 'Payments are delayed',
      status: 'investigating',
      impact: 'major',
      created_at: '2026-11-22T09:58:03.157Z',
      updated_at: '2026-11-22T09:58:03.210Z',
      incident_updates: [{ id: 'u3example4update', status: 'investigating', body: 'We look into delays of payments.' }],
    },
  },
}

export const statuspageComponents: TriggerTemplate = {
  provider_type: 'statuspage',
  name: 'Statuspage components',
  description: 'Subscription to a page of Atlassian Statuspage: each component of the supplier sets a stage.',
  trigger: {
    name: 'Statuspage components',
    conditions: { path: '$.component_update.component_id', operator: 'exists' },
    stage_mapping: {
      state_path: '$.component_update.new_status',
      values: {
        operational: 'healthy',
        degraded_performance: 'warning',
        partial_outage: 'warning',
        major_outage: 'critical',
        under_maintenance: 'warning',
      },
    },
    output_mapping: {
      fingerprint_path: '$.component_update.component_id',
      summary_path: '$.component.name',
      error_message_path: '$.component_update.new_status',
      external_event_id_path: '$.component_update.id',
      observed_at_path: '$.component_update.created_at',
    },
    safety_settings: { public_post_mode: 'draft_only' },
    draft: true,
  },
  notes: [
    connecting,
    'For one component, add the condition that `$.component_update.component_id` equals its id.',
    'With both templates at one beat, the beat is healthy once the incident and the component are.',
  ],
  example: {
    meta,
    page,
    component_update: {
      id: 'n5example6change',
      component_id: 'c2example8component',
      old_status: 'operational',
      new_status: 'major_outage',
      created_at: '2026-11-22T09:58:03.157Z',
    },
    component: { id: 'c2example8component', name: 'Payments API', status: 'major_outage' },
  },
}
