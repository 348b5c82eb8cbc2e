import type { TriggerTemplate } from './schema.ts'

export const alertmanager: TriggerTemplate = {
  provider_type: 'alertmanager',
  name: 'Prometheus Alertmanager',
  description: 'Webhook receiver, version 4: each alert of a group sets a stage, by its own status.',
  trigger: {
    name: 'Alertmanager alerts',
    each_path: '$.alerts[*]',
    conditions: { path: '$.status', operator: 'in', value: ['firing', 'resolved'] },
    stage_mapping: { state_path: '$.status', values: { firing: 'critical', resolved: 'healthy' } },
    output_mapping: {
      fingerprint_path: '$.fingerprint',
      summary_path: "$['annotations','labels']['summary','alertname']",
      error_message_path: '$.annotations.description',
    },
    safety_settings: { public_post_mode: 'draft_only' },
    draft: true,
  },
  notes: [
    "Events count in the order of their arrival, in which this sender delivers. After an outage of the monitoring itself an alert may fire again with its old `startsAt`: with `observed_at_path` `$['endsAt','startsAt']`, for senders behind a queue that reorders, such an event is stale.",
    'The receiver needs `send_resolved: true`, which is its default: an alert that is missing in an event is not resolved.',
    'For warnings, copy the trigger: one with the further condition that `$.labels.severity` equals `critical`, one for `warning` whose `firing` is `warning`.',
    '`silence_minutes` resolves alerts whose recovery was lost: choose more than the `repeat_interval` of the route.',
    'With `max_alerts` the sender leaves alerts out; the evaluation shows how many.',
  ],
  example: {
    version: '4',
    status: 'firing',
    receiver: 'upbeat',
    groupLabels: { alertname: 'HighLatency' },
    truncatedAlerts: 0,
    alerts: [
      {
        status: 'firing',
        labels: { alertname: 'HighLatency', severity: 'critical', instance: 'shop-1:9090' },
        annotations: { summary: 'The shop answers slowly', description: 'p99 is 4.2 s, the limit is 1 s' },
        startsAt: '2026-11-22T09:58:03.157Z',
        endsAt: '0001-01-01T00:00:00Z',
        generatorURL: 'https://prometheus.example/graph?g0.expr=latency',
        fingerprint: 'b5a7c0de11aa22bb',
      },
    ],
  },
}
