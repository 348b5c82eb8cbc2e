import type { Json, JsonSchema } from './schemas.ts'

/** The examples in the OpenAPI document; requests work on the example page of `npm start`. */

const LATER = '2030-06-01'

/** The examples of requests. Other requests get an example from their required fields. */
export const requestExamples: Record<string, Json> = {
  'page.update': { name: 'Example status' },
  'settings.update': { homepage_upcoming_maintenance_days: 14 },
  'tokens.create': { name: 'Deployments', permission: 'write', expires_at: `${LATER}T00:00:00.000Z` },
  'tokens.update': { name: 'Deployments', description: 'Used by the release pipeline' },
  'tokens.validate': { token: 'upb_4f1c9a2be7d0_the-rest-of-a-token' },
  'tokens.revoke': { reason: 'The pipeline was replaced' },
  'workflows.wake': {},

  'ingest_endpoints.create': { name: 'Alertmanager', external_id: 'alertmanager', provider_type: 'alertmanager' },
  'ingest_endpoints.put': { name: 'Alertmanager', provider_type: 'alertmanager' },
  'ingest_endpoints.update': { description: 'The alerts of the production cluster' },
  'ingest_endpoints.rotate': { old_token_expiry: '24h' },
  'triggers.create': {
    name: 'Alerts of the shop',
    source: { external_id: 'alertmanager' },
    draft: true,
    each_path: '$.alerts[*]',
    conditions: { all: [{ path: '$.labels.service', operator: 'equals', value: 'shop' }] },
    stage_mapping: { state_path: '$.status', values: { firing: 'critical', resolved: 'healthy' } },
    output_mapping: { fingerprint_path: '$.fingerprint', summary_path: '$.annotations.summary' },
    safety_settings: { public_post_mode: 'draft_only' },
  },
  'triggers.put': {
    name: 'Alerts of the shop',
    source: { external_id: 'alertmanager' },
    draft: true,
    stage_mapping: { state_path: '$.status', values: { firing: 'critical', resolved: 'healthy' } },
  },
  'triggers.update': { silence_minutes: 240 },
  'triggers.preview': {
    trigger: {
      source: { external_id: 'alertmanager' },
      conditions: { path: '$.status', operator: 'equals', value: 'firing' },
      stage_mapping: { default_stage: 'warning' },
    },
    limit: 200,
  },
  'triggers.stored.preview': { limit: 200 },
  'beats.open_fingerprints.close': { fingerprint: 'a1b2c3d4e5f60718' },

  'incidents.create': {
    title: 'Card payments fail for some customers',
    description: 'About one in ten card payments is declined although the card is fine.',
    external_id: 'alert-4711',
    status: 'partial_outage',
    affected_items: [{ slug: 'payments' }],
    reminder_interval_minutes: 30,
  },
  'incidents.backfill': {
    title: 'Webhooks arrived late',
    description: 'Webhooks were delivered up to ten minutes late.',
    external_id: 'alert-4242',
    status: 'degraded',
    affected_items: [{ slug: 'webhooks' }],
    started_at: '2026-11-02T08:00:00.000Z',
    resolved_at: '2026-11-02T09:30:00.000Z',
    updates: [{ message: 'A queue was too small. It is growing now.', created_at: '2026-11-02T08:20:00.000Z' }],
  },
  'incidents.put': {
    title: 'Card payments fail for some customers',
    status: 'partial_outage',
    affected_items: [{ slug: 'payments' }],
  },
  'incidents.update': { impact: 'Some customers cannot pay', reminder_interval_minutes: 60 },
  'incidents.acknowledge': {},
  'incidents.resolve': { resolution_message: 'All payments go through again.' },
  'incidents.reopen': { message: 'Payments are declined again.' },
  'incidents.updates.create': {
    message: 'Our payment provider has an outage in one region. We route around it.',
    lifecycle_stage_name: 'Identified',
  },
  'incidents.updates.update': { message: 'Our payment provider has an outage in one region.' },
  'incidents.impacts.create': { item_id: 7, status: 'degraded' },
  'incidents.impacts.update': { status: 'major_outage' },
  'incidents.report.put': {
    title: 'What happened to card payments',
    body: 'A provider lost one region. We now route to another region within a minute.',
  },

  'maintenances.create': {
    title: 'Database upgrade',
    description: 'Signing in may take a few seconds longer.',
    external_id: 'change-17',
    affected_items: [{ slug: 'sign-in' }],
    scheduled_start_time: `${LATER}T02:00:00.000Z`,
    scheduled_end_time: `${LATER}T03:00:00.000Z`,
    auto_transition_enabled: true,
  },
  'maintenances.backfill': {
    title: 'Network maintenance',
    affected_items: [{ slug: 'rest-api' }],
    scheduled_start_time: '2026-11-01T02:00:00.000Z',
    scheduled_end_time: '2026-11-01T03:00:00.000Z',
    started_at: '2026-11-01T02:00:00.000Z',
    ended_at: '2026-11-01T02:50:00.000Z',
  },
  'maintenances.put': {
    title: 'Database upgrade',
    affected_items: [{ slug: 'sign-in' }],
    scheduled_start_time: `${LATER}T02:00:00.000Z`,
    scheduled_end_time: `${LATER}T03:00:00.000Z`,
  },
  'maintenances.update': { title: 'Database upgrade to version 18' },
  'maintenances.start': { message: 'The upgrade has begun.' },
  'maintenances.complete': { message: 'The upgrade is done.' },
  'maintenances.cancel': { message: 'The upgrade was moved to another week.' },
  'maintenances.updates.create': { message: 'The copy of the data takes longer than planned.' },
  'maintenances.updates.update': { message: 'The copy of the data takes ten minutes longer.' },
  'series.create': {
    title: 'Weekly database maintenance',
    external_id: 'weekly-database',
    affected_items: [{ slug: 'sign-in' }],
    recurrence_type: 'weekly',
    weekday: 2,
    timezone: 'Europe/Berlin',
    start_time: '02:30',
    start_date: LATER,
    duration_minutes: 45,
  },
  'series.put': {
    title: 'Weekly database maintenance',
    affected_items: [{ slug: 'sign-in' }],
    recurrence_type: 'weekly',
    weekday: 2,
    timezone: 'Europe/Berlin',
    start_time: '02:30',
    start_date: LATER,
    duration_minutes: 45,
  },
  'series.preview': {
    recurrence_type: 'monthly_by_weekday',
    ordinal_week: -1,
    weekday: 7,
    timezone: 'Europe/Berlin',
    start_time: '02:30',
    start_date: LATER,
    duration_minutes: 60,
  },
  'series.update': { title: 'Weekly database maintenance', duration_minutes: 60 },
  'series.occurrences.skip': { reason: 'A release is planned for that night' },

  'levels.create': { singular: 'Part', plural: 'Parts' },
  'levels.update': { singular: 'Component', plural: 'Components' },
  'items.create': { name: 'Search', parent_id: 1, external_id: 'search', description: 'The search of the shop' },
  'items.put': { name: 'Search', parent_id: 1 },
  'items.update': { description: 'Card payments and direct debit' },
  'items.move': { depth: 3, parent_id: 2 },
  'items.status.put': { status: 'degraded', reason: 'Slow since the last release' },
  'hierarchy.validate': {},
  'status_events.time': {
    event_time: '2026-11-20T10:00:00.000Z',
    correction_note: 'The logs show an earlier start',
  },

  'status_types.reorder': { ids: [1, 2, 3, 4, 5] },
  'status_types.create': { key: 'slow', name: 'Slow', color: '#f59f00', uptime_weight: 0.5 },
  'status_types.update': { name: 'Degraded performance' },
  'incident_stages.reorder': { ids: [1, 2, 3, 4] },
  'incident_stages.create': { name: 'Fixing', color: '#1c7ed6' },
  'incident_stages.update': { description: 'The cause is known' },
  'maintenance_stages.reorder': { ids: [5, 6, 7, 8] },
  'maintenance_stages.create': { name: 'Checking', color: '#1c7ed6' },
  'maintenance_stages.update': { description: 'The work is under way' },
  'presets.create': {
    title: '{{Page-Name}}: we look into it',
    body: 'We look into a problem and post again within 30 minutes.',
    category: 'general',
  },
  'presets.update': { body: 'We look into a problem and post again within an hour.' },
  'presets.preview': { title: '{{Page-Name}}: we look into it', body: 'We post again within 30 minutes.' },

  'beats.test': { type: 'http', target: { url: 'https://example.com/' } },
  'beat_actions.reject': { decision_note: 'A planned test caused the failures' },
}

/** The values of path parameters on the example page after the example creates were sent. */
const pathExamples: [operations: RegExp, values: Record<string, Json>][] = [
  [/^incidents\.(list|get)$|^public/, { id: 1 }],
  [/^incidents/, { id: 3, item_id: 6, item_external_id: 'payments', update_id: 9 }],
  [/^items|^status_events/, { id: 6 }],
  [/^maintenances\.cancel/, { id: 3 }],
  [/^maintenances/, { update_id: 6 }],
  [/^series/, { index: 6 }],
  [/^maintenance_stages/, { id: 6 }],
  [/^(maintenances|series|beats|beat_groups|items)\.put/, { external_id: 'my-own-id' }],
  [/./, { external_id: 'alert-4711', page_slug: 'example', workflow_id: 'series:1' }],
]

export function pathExample(operation: string, name: string): Json {
  const found = pathExamples.find(([operations, values]) => operations.test(operation) && name in values)
  return found?.[1][name] ?? 1
}

const byName: Record<string, Json> = {
  abbreviated_name: 'Pay',
  active_custom_domain: 'status.example.com',
  active_custom_url: 'https://status.example.com/',
  affected_items_freetext: 'Card payments in Europe',
  auto_transition_complete_message: 'The upgrade is done.',
  auto_transition_start_message: 'The upgrade has begun.',
  automation_pause_reason: 'A load test is running',
  body: 'A provider lost one region. We now route to another region within a minute.',
  ca: '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n',
  category: 'general',
  cause: 'HTTP 503 three times in a row',
  certificate: '-----BEGIN CERTIFICATE-----\n…\n-----END CERTIFICATE-----\n',
  chat_channel_id: 'C024BE91L',
  color: '#f59f00',
  correction_note: 'The logs show an earlier start',
  created_by: 'First admin',
  cron: '30 2 * * *',
  custom_domains: 'status.example.com',
  date: '2026-11-21',
  decided_by: 'First admin',
  decision_note: 'A planned test caused the failures',
  description: 'About one in ten card payments is declined although the card is fine.',
  dismissed_by: 'First admin',
  email: 'operator@example.com',
  error: 'There is no such incident.',
  evidence: 'HTTP 503 Service Unavailable from example.com after 84 ms, expected 2xx',
  expect: '+PONG',
  expected: '10 mail.example.com',
  expected_status: '2xx',
  external_id: 'alert-4711',
  fallback_domain: 'example.status.example.com',
  fallback_url: 'https://example.status.example.com/',
  from_stage: 'healthy',
  headers: 'application/json',
  heartbeat_url: 'http://localhost:3000/api/v1/heartbeats/uph_0123456789abcdef0123456789abcdef01234567',
  hierarchy_path: 'Shop / Checkout / Payments',
  host: 'example.com',
  icon: 'warning',
  impact: 'Some customers cannot pay',
  incident_status: 'partial_outage',
  initial_status: 'degraded',
  key: 'degraded',
  kind: 'incident',
  label: 'Response time',
  last_call: 'success',
  last_evidence_summary: 'HTTP 200 OK from example.com after 84 ms',
  last_transition_from_stage: 'healthy',
  last_transition_to_stage: 'critical',
  lifecycle_stage_name: 'Identified',
  locale: 'de',
  message: 'Our payment provider has an outage in one region. We route around it.',
  name: 'Payments',
  next_cursor: 'eyJpZCI6MTd9',
  not_acted_because: 'Waiting: the automation of the beat "Search" (5) is paused',
  notification_event: 'incident.created',
  operation: 'incidents.create',
  organization_slug: 'example',
  page_slug: 'example',
  path: 'title',
  permission: 'admin',
  plural: 'Components',
  policy_label: 'Uptime by our service terms',
  prefix: '4f1c9a2be7d0',
  previous_status: 'degraded',
  problem: 'no worker in the region eu-west is running',
  public_domain: 'status.example.com',
  public_metrics_label: 'Response time',
  public_slug: 'example',
  public_url: 'https://status.example.com/',
  reason: 'Slow since the last release',
  recurrence_rule: 'FREQ=WEEKLY;BYDAY=TU',
  recurrence_timezone: 'Europe/Berlin',
  region: 'local',
  regions: 'local',
  request_id: '5b1d8f0e-6f43-4b4e-9a53-0c1f7a3d2e11',
  resolver: '1.1.1.1',
  revoke_reason: 'The pipeline was replaced',
  role_key: 'page_admin',
  send: 'PING\r\n',
  server_name: 'example.com',
  singular: 'Component',
  site_title: 'Example status',
  skip_reason: 'A release is planned for that night',
  slug: 'payments',
  stage: 'healthy',
  start_time: '02:30',
  state: 'active',
  status: 'partial_outage',
  synthetics_region: 'local',
  timezone: 'Europe/Berlin',
  title: 'Card payments fail for some customers',
  to_stage: 'critical',
  token: 'upb_4f1c9a2be7d0_the-rest-of-a-token',
  unknown_because: 'the type was changed from http to tcp',
  url: 'https://example.com/',
  value: 'ok',
  values: 'Kartenzahlungen schlagen fehl',
  workflow_id: 'incident:17',
  worst_status: 'partial_outage',
}

/** The example of a field that is not listed: its name in words, such as "Footer text" for `footer_text`. */
function wordsFor(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const decided = ['example', 'const', 'enum', 'default', '$ref', 'anyOf', 'oneOf', 'format', 'pattern'] as const

/** Adds an example, by the name of the field, to every text and id of a schema without one. */
export function fieldExamples(schema: JsonSchema, name = ''): void {
  const isText = [schema.type].flat()[0] === 'string'
  const listed = schema.format === undefined || schema.format === 'uri' ? byName[name] : undefined
  const isId = schema.type === 'integer' && /^(id|.*_id)$/.test(name)
  if (isId && schema.example === undefined) schema.example = 1
  const open = isText && !schema.enum && schema.const === undefined && schema.example === undefined
  if (open && listed !== undefined) schema.example = listed
  else if (isText && !decided.some((key) => schema[key] !== undefined)) schema.example = wordsFor(name)
  for (const [field, inner] of Object.entries(schema.properties ?? {})) fieldExamples(inner, field)
  if (schema.items) fieldExamples(schema.items, name)
  for (const inner of schema.anyOf ?? []) fieldExamples(inner, name)
  const { additionalProperties: values } = schema
  if (values && typeof values === 'object') fieldExamples(values as JsonSchema, name)
}

/** The smallest valid value of a schema. */
export function exampleOf(schema: JsonSchema, components: Record<string, JsonSchema>, name = ''): Json {
  if (schema.example !== undefined) return schema.example
  if (schema.$ref) {
    const { [schema.$ref.split('/').at(-1)!]: target, ...others } = components
    // The example ends at the repetition of a recursive schema.
    return target ? exampleOf(target, others, name) : null
  }
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0] ?? null
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {}, components, name)
  const type = [schema.type].flat()[0]
  if (type === 'object') {
    const needed = Object.entries(schema.properties ?? {}).filter(([field]) => schema.required?.includes(field))
    return Object.fromEntries(needed.map(([field, inner]) => [field, exampleOf(inner, components, field)]))
  }
  if (type === 'array') return schema.items ? [exampleOf(schema.items, components, name)] : []
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (type === 'boolean') return true
  return byName[name] ?? wordsFor(name)
}
