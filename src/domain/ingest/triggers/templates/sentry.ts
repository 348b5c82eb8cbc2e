import type { TriggerTemplate } from './schema.ts'

const connecting =
  'Sentry sends to the webhook URL of an internal integration: enter the address with the token in its path.'

/** An issue alert has no recovery of its own: the webhooks of issues resolve the same issue. */
export const sentryIssues: TriggerTemplate = {
  provider_type: 'sentry',
  name: 'Sentry issue alerts',
  description: 'Internal integration: an issue alert sets a stage until its issue is resolved or archived.',
  trigger: {
    name: 'Sentry issue alerts',
    conditions: {
      all: [
        { path: "$.data['event','issue']['issue_id','id']", operator: 'exists' },
        { path: '$.action', operator: 'in', value: ['triggered', 'unresolved', 'resolved', 'archived', 'ignored'] },
      ],
    },
    stage_mapping: {
      state_path: '$.action',
      values: {
        triggered: 'critical',
        unresolved: 'critical',
        resolved: 'healthy',
        archived: 'healthy',
        ignored: 'healthy',
      },
    },
    output_mapping: {
      fingerprint_path: "$.data['event','issue']['issue_id','id']",
      summary_path: "$.data['event','issue'].title",
    },
    safety_settings: { public_post_mode: 'draft_only' },
    draft: true,
  },
  notes: [
    connecting,
    'Choose the integration as the action of the alert rule, and subscribe it to `issue`: without that webhook no issue is ever resolved.',
    'The trigger uses the order of arrival: the webhook of a resolved issue has no time of the resolution.',
    'An issue that Sentry resolves by itself may send no webhook: `silence_minutes` resolves such issues.',
  ],
  example: {
    action: 'triggered',
    installation: { uuid: '7f9b0c7e-1a51-4b39-8d86-2f3a4c5d6e7f' },
    actor: { type: 'application', id: 'sentry', name: 'Sentry' },
    data: {
      event: {
        event_id: 'c0ffee00c0ffee00c0ffee00c0ffee00',
        issue_id: '1170820242',
        title: 'Payment was refused twice',
      },
      triggered_rule: 'Errors of payments',
    },
  },
}

export const sentryMetrics: TriggerTemplate = {
  provider_type: 'sentry',
  name: 'Sentry metric alerts',
  description: 'Internal integration: a metric alert is critical, a warning, or resolved.',
  trigger: {
    name: 'Sentry metric alerts',
    conditions: { path: '$.data.metric_alert.id', operator: 'exists' },
    stage_mapping: {
      state_path: '$.action',
      values: { critical: 'critical', warning: 'warning', resolved: 'healthy' },
    },
    output_mapping: {
      fingerprint_path: '$.data.metric_alert.id',
      summary_path: '$.data.description_title',
      error_message_path: '$.data.description_text',
    },
    safety_settings: { public_post_mode: 'draft_only' },
    draft: true,
  },
  notes: [
    connecting,
    'Choose the integration as the action of each threshold of the alert rule, critical and warning.',
    'The trigger uses the order of arrival: a warning that becomes critical keeps its start.',
  ],
  example: {
    action: 'critical',
    installation: { uuid: '7f9b0c7e-1a51-4b39-8d86-2f3a4c5d6e7f' },
    data: {
      metric_alert: {
        id: '80211',
        identifier: '17',
        title: 'Many errors',
        date_started: '2026-11-22T09:58:03.157Z',
        alert_rule: { id: '7', name: 'Many errors', aggregate: 'count()' },
      },
      description_title: 'Critical: Many errors',
      description_text: '1300 events in the last 10 minutes',
      web_url: 'https://sentry.example/alerts/17/',
    },
  },
}
