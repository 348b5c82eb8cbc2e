import type { TriggerTemplate } from './schema.ts'

/** `$..` finds a member in the message of the SNS envelope, and at the root with raw message delivery. */
export const cloudwatch: TriggerTemplate = {
  provider_type: 'cloudwatch',
  name: 'Amazon CloudWatch alarms',
  description: 'Alarms through an Amazon SNS topic with an HTTPS subscription, with or without raw message delivery.',
  trigger: {
    name: 'CloudWatch alarms',
    conditions: { path: '$..NewStateValue', operator: 'in', value: ['ALARM', 'OK', 'INSUFFICIENT_DATA'] },
    stage_mapping: {
      state_path: '$..NewStateValue',
      values: { ALARM: 'critical', OK: 'healthy', INSUFFICIENT_DATA: 'warning' },
    },
    output_mapping: {
      fingerprint_path: '$..AlarmArn',
      summary_path: '$..AlarmName',
      error_message_path: '$..NewStateReason',
      region_path: '$..Region',
      observed_at_path: '$..StateChangeTime',
    },
    safety_settings: { public_post_mode: 'draft_only' },
    draft: true,
  },
  notes: [
    'Subscribe the topic to the address with the token in its path: SNS sends no headers of your own.',
    'SNS sends a SubscriptionConfirmation first. Open the `confirmation_url` that the event of GET /external-events/{id} shows admins.',
    'Each alarm needs the topic as an action of the states ALARM, OK and INSUFFICIENT_DATA.',
    'The draft makes INSUFFICIENT_DATA a warning. New alarms and some metrics without traffic are in this state: choose `healthy` for those.',
  ],
  example: {
    Type: 'Notification',
    MessageId: '4f0c2b56-7a51-5f3e-9d0e-70e5a1c0ffee',
    TopicArn: 'arn:aws:sns:eu-west-1:123456789012:alarms',
    Subject: 'ALARM: "shop-errors" in EU (Ireland)',
    Message: JSON.stringify({
      AlarmName: 'shop-errors',
      AlarmArn: 'arn:aws:cloudwatch:eu-west-1:123456789012:alarm:shop-errors',
      NewStateValue: 'ALARM',
      OldStateValue: 'OK',
      NewStateReason: 'Threshold Crossed: 1 datapoint (37.0) was greater than the threshold (5.0).',
      StateChangeTime: '2026-11-22T09:58:03.157+0000',
      Region: 'EU (Ireland)',
    }),
    Timestamp: '2026-11-22T09:58:03.214Z',
  },
}
