/** The events that each system sends about a failure and its recovery, and what follows from them. */

interface Step {
  sends: object
  stage: 'healthy' | 'warning' | 'critical' | null
  /** By element of the event. */
  outcomes: string[]
  fingerprints?: string[]
  /** A part of the evaluations. */
  explains?: string
}

const NOT_ENDED = '0001-01-01T00:00:00Z'
const at = (minute: number) => `2026-11-22T10:${String(minute).padStart(2, '0')}:00.000Z`

const alert = (fingerprint: string, startsAt: number, endsAt?: number, labels: object = {}) => ({
  status: endsAt === undefined ? 'firing' : 'resolved',
  labels: { alertname: `Alert ${fingerprint}`, ...labels },
  annotations: { summary: `Alert ${fingerprint} fires`, description: 'Above its limit' },
  startsAt: at(startsAt),
  endsAt: endsAt === undefined ? NOT_ENDED : at(endsAt),
  fingerprint,
})
/** The root is firing while one of its alerts is. */
const group = (...alerts: { status: string }[]) => ({
  version: '4',
  status: alerts.some(({ status }) => status === 'firing') ? 'firing' : 'resolved',
  groupKey: '{}:{alertname="A"}',
  truncatedAlerts: 0,
  alerts,
})

const two: Step[] = [
  { sends: group(alert('a', 1)), stage: 'critical', outcomes: ['transition'], fingerprints: ['a'] },
  { sends: group(alert('a', 1)), stage: 'critical', outcomes: ['evidence_updated'], fingerprints: ['a'] },
  {
    sends: group(alert('a', 1), alert('b', 2)),
    stage: 'critical',
    outcomes: ['evidence_updated', 'evidence_updated'],
    fingerprints: ['a', 'b'],
  },
  // The root is firing: the status of each alert counts, and the absence of an alert resolves nothing.
  {
    sends: group(alert('a', 1, 5), alert('b', 2)),
    stage: 'critical',
    outcomes: ['evidence_updated', 'evidence_updated'],
  },
  { sends: group(), stage: 'critical', outcomes: ['no_match'] },
  { sends: group(alert('b', 2, 6)), stage: 'healthy', outcomes: ['transition'], fingerprints: ['b'] },
  { sends: group(alert('a', 7)), stage: 'critical', outcomes: ['transition'], fingerprints: ['a'] },
  {
    sends: { ...group(alert('a', 7, 8)), truncatedAlerts: 3 },
    stage: 'healthy',
    outcomes: ['transition'],
    explains: 'the sender left 3 alerts out',
  },
]

const noData = { alertname: 'DatasourceNoData', rulename: 'Queue is long', datasource_uid: 'prometheus' }
const misleading = { zone: 'resolved' }

const datadog = (event: number, transition: string, scope = 'host:a') => ({
  ...{ alert: `7701 ${scope}`, transition, title: `[${transition}] Disk is full`, status: 'in use > 0.95' },
  ...{ event: String(event), occurred_at: String(1_795_341_483_000 + event) },
})

const alarm = (minute: number, NewStateValue: string, name = 'shop-errors') => ({
  AlarmName: name,
  AlarmArn: `arn:aws:cloudwatch:eu-west-1:123456789012:alarm:${name}`,
  AlarmDescription: null,
  NewStateValue,
  NewStateReason: 'Threshold Crossed: 1 datapoint was greater than the threshold (5.0).',
  StateChangeTime: at(minute).replace('Z', '+0000'),
  Region: 'EU (Ireland)',
  Trigger: { MetricName: 'Errors', Dimensions: [{ name: 'Queue', value: 'orders' }], Period: 60 },
})
const envelope = (message: object | string, fields: object = {}) => ({
  Type: 'Notification',
  MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  TopicArn: 'arn:aws:sns:eu-west-1:123456789012:alarms',
  Message: typeof message === 'string' ? message : JSON.stringify(message),
  SignatureVersion: '1',
  Signature: 'EXAMPLEpH',
  ...fields,
})

const pagerduty = (minute: number, event_type: string, id = 'Q1', data: object = {}) => ({
  event: {
    id: `01${id}${event_type}${minute}`,
    ...{ event_type, resource_type: 'incident', occurred_at: at(minute) },
    data: { id, type: 'incident', title: 'Payments are refused', incident_key: 'payments', ...data },
  },
})

const installation = { uuid: '7f9b0c7e-1a51-4b39-8d86-2f3a4c5d6e7f' }
const sentryAlert = (issue_id: string) => ({
  ...{ action: 'triggered', installation },
  data: { event: { event_id: 'c0ffee', issue_id, title: 'Payment was refused' }, triggered_rule: 'Payments' },
})
const sentryIssue = (id: string, action: string) => ({
  ...{ action, installation },
  data: { issue: { id, title: 'Payment was refused', status: action, lastSeen: at(1) } },
})
const sentryMetric = (id: string, action: string) => ({
  ...{ action, installation },
  data: {
    metric_alert: { id, identifier: '17', title: 'Many errors', date_started: at(1) },
    ...{ description_title: `${action}: Many errors`, description_text: '1300 events in the last 10 minutes' },
  },
})

const incident = (minute: number, status: string, id = 'i1') => ({
  page: { id: 'p1', status_indicator: 'major' },
  incident: {
    ...{ id, name: 'Payments are delayed', status, impact: 'major', updated_at: at(minute), backfilled: false },
    incident_updates: [{ id: `u${minute}`, status, body: 'We look into it.' }],
  },
})
const component = (minute: number, new_status: string, component_id = 'c1') => ({
  page: { id: 'p1', status_indicator: 'major' },
  component_update: { id: `n${minute}${component_id}`, component_id, new_status, created_at: at(minute) },
  component: { id: component_id, name: 'Payments API', status: new_status },
})

export const sequences: Record<string, Step[]> = {
  'Prometheus Alertmanager': two,
  'Grafana Alerting': [
    ...two,
    { sends: group(alert('n', 10, undefined, noData)), stage: 'warning', outcomes: ['transition'] },
    { sends: group(alert('n', 10, 11, noData)), stage: 'healthy', outcomes: ['transition'] },
    { sends: group(alert('m', 12, undefined, misleading)), stage: 'critical', outcomes: ['transition'] },
    { sends: group(alert('m', 12, 13, misleading)), stage: 'healthy', outcomes: ['transition'] },
  ],
  'Datadog monitors': [
    { sends: datadog(1, 'Warn'), stage: 'warning', outcomes: ['transition'], fingerprints: ['7701 host:a'] },
    { sends: datadog(1, 'Warn'), stage: 'warning', outcomes: ['duplicate'] },
    { sends: datadog(2, 'Triggered'), stage: 'critical', outcomes: ['transition'] },
    { sends: datadog(3, 'Renotify'), stage: 'critical', outcomes: ['no_stage'] },
    { sends: datadog(4, 'Re-Triggered'), stage: 'critical', outcomes: ['evidence_updated'] },
    { sends: datadog(5, 'No Data', 'host:b'), stage: 'critical', outcomes: ['evidence_updated'] },
    { sends: datadog(6, 'Recovered'), stage: 'warning', outcomes: ['transition'], fingerprints: ['7701 host:a'] },
    { sends: datadog(7, 'Recovered', 'host:b'), stage: 'healthy', outcomes: ['transition'] },
  ],
  'Amazon CloudWatch alarms': [
    {
      sends: envelope('You have chosen to subscribe to the topic.', {
        ...{ Type: 'SubscriptionConfirmation', Token: '2336412f37', SubscribeURL: 'https://sns.example/confirm' },
      }),
      ...{ stage: null, outcomes: ['no_match'] },
    },
    { sends: envelope(alarm(1, 'INSUFFICIENT_DATA')), stage: 'warning', outcomes: ['transition'] },
    { sends: envelope(alarm(2, 'ALARM')), stage: 'critical', outcomes: ['transition'] },
    { sends: envelope(alarm(2, 'ALARM')), stage: 'critical', outcomes: ['duplicate'] },
    { sends: alarm(3, 'ALARM', 'orders'), stage: 'critical', outcomes: ['evidence_updated'] },
    { sends: alarm(4, 'OK'), stage: 'critical', outcomes: ['evidence_updated'] },
    { sends: envelope(alarm(5, 'OK', 'orders')), stage: 'healthy', outcomes: ['transition'] },
    { sends: envelope(alarm(3, 'ALARM')), stage: 'healthy', outcomes: ['stale'] },
  ],
  'PagerDuty incidents': [
    { sends: pagerduty(1, 'incident.triggered'), stage: 'critical', outcomes: ['transition'], fingerprints: ['Q1'] },
    { sends: pagerduty(1, 'incident.triggered'), stage: 'critical', outcomes: ['duplicate'] },
    { sends: pagerduty(2, 'incident.acknowledged'), stage: 'critical', outcomes: ['evidence_updated'] },
    { sends: pagerduty(3, 'incident.escalated'), stage: 'critical', outcomes: ['evidence_updated'] },
    {
      sends: pagerduty(3, 'incident.annotated', 'N1', { type: 'incident_note' }),
      ...{ stage: 'critical', outcomes: ['no_match'] },
    },
    { sends: pagerduty(3, 'incident.priority_updated'), stage: 'critical', outcomes: ['no_stage'] },
    { sends: pagerduty(4, 'incident.triggered', 'Q2'), stage: 'critical', outcomes: ['evidence_updated'] },
    { sends: pagerduty(5, 'incident.resolved'), stage: 'critical', outcomes: ['evidence_updated'] },
    { sends: pagerduty(6, 'incident.resolved', 'Q2'), stage: 'healthy', outcomes: ['transition'] },
    { sends: pagerduty(7, 'incident.reopened'), stage: 'critical', outcomes: ['transition'], fingerprints: ['Q1'] },
  ],
  'Sentry issue alerts': [
    { sends: sentryAlert('117'), stage: 'critical', outcomes: ['transition'], fingerprints: ['117'] },
    { sends: sentryAlert('117'), stage: 'critical', outcomes: ['evidence_updated'] },
    { sends: sentryAlert('118'), stage: 'critical', outcomes: ['evidence_updated'], fingerprints: ['118'] },
    { sends: sentryIssue('117', 'assigned'), stage: 'critical', outcomes: ['no_match'] },
    { sends: sentryIssue('117', 'resolved'), stage: 'critical', outcomes: ['evidence_updated'] },
    { sends: sentryMetric('118', 'resolved'), stage: 'critical', outcomes: ['no_match'] },
    { sends: sentryIssue('118', 'archived'), stage: 'healthy', outcomes: ['transition'] },
    { sends: sentryIssue('117', 'unresolved'), stage: 'critical', outcomes: ['transition'] },
  ],
  'Sentry metric alerts': [
    { sends: sentryMetric('80', 'warning'), stage: 'warning', outcomes: ['transition'], fingerprints: ['80'] },
    { sends: sentryMetric('80', 'critical'), stage: 'critical', outcomes: ['transition'] },
    { sends: sentryMetric('81', 'critical'), stage: 'critical', outcomes: ['evidence_updated'] },
    { sends: sentryIssue('80', 'resolved'), stage: 'critical', outcomes: ['no_match'] },
    { sends: sentryMetric('80', 'resolved'), stage: 'critical', outcomes: ['evidence_updated'] },
    { sends: sentryMetric('81', 'resolved'), stage: 'healthy', outcomes: ['transition'] },
  ],
  'Statuspage incidents': [
    { sends: incident(1, 'investigating'), stage: 'critical', outcomes: ['transition'], fingerprints: ['i1'] },
    { sends: incident(1, 'investigating'), stage: 'critical', outcomes: ['duplicate'] },
    { sends: incident(2, 'scheduled', 'i2'), stage: 'critical', outcomes: ['no_stage'] },
    { sends: incident(3, 'identified', 'i3'), stage: 'critical', outcomes: ['evidence_updated'] },
    { sends: component(3, 'major_outage'), stage: 'critical', outcomes: ['no_match'] },
    { sends: incident(4, 'resolved', 'i3'), stage: 'critical', outcomes: ['evidence_updated'] },
    { sends: incident(5, 'monitoring'), stage: 'warning', outcomes: ['transition'] },
    { sends: incident(6, 'resolved'), stage: 'healthy', outcomes: ['transition'] },
  ],
  'Statuspage components': [
    { sends: component(1, 'degraded_performance'), stage: 'warning', outcomes: ['transition'], fingerprints: ['c1'] },
    { sends: component(1, 'degraded_performance'), stage: 'warning', outcomes: ['duplicate'] },
    { sends: component(2, 'major_outage', 'c2'), stage: 'critical', outcomes: ['transition'] },
    { sends: component(3, 'operational', 'c2'), stage: 'warning', outcomes: ['transition'] },
    { sends: incident(3, 'investigating'), stage: 'warning', outcomes: ['no_match'] },
    { sends: component(4, 'operational'), stage: 'healthy', outcomes: ['transition'] },
  ],
}
