import type { Json, JsonSchema } from '../domain/kernel/json-schema.ts'

/** The examples of fields in the OpenAPI document, by name. */

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
  icon: 'alert',
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
