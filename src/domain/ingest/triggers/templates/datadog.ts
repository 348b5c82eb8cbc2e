import type { TriggerTemplate } from './schema.ts'

export const datadog: TriggerTemplate = {
  provider_type: 'datadog',
  name: 'Datadog monitors',
  description: 'Webhooks integration with the payload of the notes: each monitor and scope sets a stage.',
  trigger: {
    name: 'Datadog monitors',
    conditions: {
      all: [
        { path: '$.alert', operator: 'exists' },
        { path: '$.transition', operator: 'exists' },
      ],
    },
    stage_mapping: {
      state_path: '$.transition',
      values: {
        Triggered: 'critical',
        'Re-Triggered': 'critical',
        Warn: 'warning',
        'Re-Warn': 'warning',
        'No Data': 'warning',
        'Re-No Data': 'warning',
        Recovered: 'healthy',
      },
    },
    output_mapping: {
      fingerprint_path: '$.alert',
      summary_path: '$.title',
      error_message_path: '$.status',
      external_event_id_path: '$.event',
      observed_at_path: '$.occurred_at',
    },
    safety_settings: { public_post_mode: 'draft_only' },
    draft: true,
  },
  notes: [
    'Payload of the webhook: {"alert": "$ALERT_ID $ALERT_SCOPE", "transition": "$ALERT_TRANSITION", "title": "$EVENT_TITLE", "status": "$ALERT_STATUS", "event": "$ID", "occurred_at": "$DATE"}',
    'Custom headers of the webhook: {"X-External-Event-Token": "the token of the endpoint"}',
    'Name the webhook in the message of each monitor, also for recoveries: @webhook-NAME.',
    'A `Renotify` has no stage: it repeats a stage that is known.',
    'The draft makes "No Data" a warning. Choose another stage if missing data means an outage.',
  ],
  example: {
    alert: '7701 host:shop-1',
    transition: 'Triggered',
    title: '[Triggered on {host:shop-1}] Disk is full',
    status: 'system.disk.in_use over host:shop-1 was > 0.95 on average during the last 5m',
    event: '6891234567890123456',
    occurred_at: '1795341483000',
  },
}
