import type { TriggerTemplate } from './schema.ts'

/**
 * An alert without data has the status `firing`, another alertname, and the name of its rule in `rulename`: the first node is
 * the status, or for such an alert its alertname, which is a state of its own.
 */
const STATE_PATH = "$..[?@ == $.status && (@ == 'resolved' || !$.labels.rulename), 'alertname']"

export const grafana: TriggerTemplate = {
  provider_type: 'grafana',
  name: 'Grafana Alerting',
  description: 'Webhook contact point: each alert sets a stage, by its own status; missing data is a state of its own.',
  trigger: {
    name: 'Grafana alerts',
    each_path: '$.alerts[*]',
    conditions: { path: '$.status', operator: 'in', value: ['firing', 'resolved'] },
    stage_mapping: {
      state_path: STATE_PATH,
      values: { firing: 'critical', resolved: 'healthy', DatasourceNoData: 'warning', DatasourceError: 'warning' },
      default_stage: 'critical',
    },
    output_mapping: {
      fingerprint_path: '$.fingerprint',
      summary_path: "$['annotations','labels']['summary','rulename','alertname']",
      error_message_path: '$.annotations.description',
    },
    safety_settings: { public_post_mode: 'draft_only' },
    draft: true,
  },
  notes: [
    "Events count in the order of their arrival, in which this sender delivers. After an outage of the monitoring itself an alert may fire again with its old `startsAt`: with `observed_at_path` `$['endsAt','startsAt']`, for senders behind a queue that reorders, such an event is stale.",
    'The contact point must not disable resolved messages: an alert that is missing in an event is not resolved.',
    'Grafana sends "No Data" and "Error" as alerts named DatasourceNoData and DatasourceError. Choose the stages of both.',
    'A rule whose "no data" state is Alerting or Normal sends no such alert: its choice in Grafana counts.',
    'Grafana sends the token as a bearer token: Authorization scheme `Bearer`, credentials the token of the endpoint.',
  ],
  example: {
    receiver: 'Upbeat',
    status: 'firing',
    state: 'alerting',
    orgId: 1,
    version: '1',
    truncatedAlerts: 0,
    alerts: [
      {
        status: 'firing',
        labels: { alertname: 'Queue is long', grafana_folder: 'Shop', zone: 'eu-1' },
        annotations: { summary: 'Orders wait in zone eu-1', description: '812 orders wait, the limit is 100' },
        startsAt: '2026-11-22T10:56:03.157+01:00',
        endsAt: '0001-01-01T00:00:00Z',
        values: { B: 812, C: 1 },
        fingerprint: '9d21f0a3c47be650',
      },
    ],
  },
}
