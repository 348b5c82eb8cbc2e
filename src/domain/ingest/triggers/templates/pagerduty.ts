import type { TriggerTemplate } from './schema.ts'

export const pagerduty: TriggerTemplate = {
  provider_type: 'pagerduty',
  name: 'PagerDuty incidents',
  description: 'Webhook subscription, version 3: each incident sets a stage until it is resolved.',
  trigger: {
    name: 'PagerDuty incidents',
    conditions: {
      all: [
        { path: '$.event.data.type', operator: 'equals', value: 'incident' },
        { path: '$.event.event_type', operator: 'exists' },
      ],
    },
    stage_mapping: {
      state_path: '$.event.event_type',
      values: {
        'incident.triggered': 'critical',
        'incident.acknowledged': 'critical',
        'incident.unacknowledged': 'critical',
        'incident.escalated': 'critical',
        'incident.delegated': 'critical',
        'incident.reassigned': 'critical',
        'incident.reopened': 'critical',
        'incident.resolved': 'healthy',
      },
    },
    output_mapping: {
      fingerprint_path: '$.event.data.id',
      summary_path: '$.event.data.title',
      external_event_id_path: '$.event.id',
      observed_at_path: '$.event.occurred_at',
    },
    safety_settings: { public_post_mode: 'draft_only' },
    draft: true,
  },
  notes: [
    'Add the custom header X-External-Event-Token with the token of the endpoint to the webhook subscription.',
    'An acknowledged incident stays critical, because it is not resolved. Choose `warning` to show the difference.',
    'For one service, add the condition that `$.event.data.service.id` equals its id; for the urgency, `$.event.data.urgency`.',
    'Other events, such as notes and changes of the priority, have no stage.',
  ],
  example: {
    event: {
      id: '01EXAMPLE5TRIGGERED00000000',
      event_type: 'incident.triggered',
      resource_type: 'incident',
      occurred_at: '2026-11-22T09:58:03.157Z',
      data: {
        id: 'Q1EXAMPLE0INCIDENT',
        type: 'incident',
        number: 4711,
        status: 'triggered',
        title: 'Payments are refused',
        service: { id: 'PSHOP01', type: 'service_reference', summary: 'Shop' },
        urgency: 'high',
      },
    },
  },
}
