import type { Json } from '../domain/kernel/json-schema.ts'

/** The examples in the OpenAPI document; requests work on the example page of `npm start`. */

const LATER = '2030-06-01'
/** For moments that must not be later than in a year. */
const IN_THREE_MONTHS = new Date(Date.now() + 90 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)

/** The examples of requests. Other requests get an example from their required fields. */
export const requestExamples: Record<string, Json> = {
  'page.update': { name: 'Example status' },
  'access_links.create': { name: 'Board members', expires_at: `${IN_THREE_MONTHS}T00:00:00.000Z` },
  'settings.css_preview': { custom_css: 'h1 { letter-spacing: 0.02em }' },
  'settings.update': { homepage_upcoming_maintenance_days: 14 },
  'tokens.create': { name: 'Deployments', permission: 'write', expires_at: `${LATER}T00:00:00.000Z` },
  'tokens.update': { name: 'Deployments', description: 'Used by the release pipeline' },
  'tokens.validate': { token: 'upb_4f1c9a2be7d0_the-rest-of-a-token' },
  'tokens.revoke': { reason: 'The pipeline was replaced' },
  'workflows.wake': {},

  'agent.respond': {
    query: 'Which incidents are open?',
    surface: 'chat_delegated_bot',
    delegating_agent: { name: 'Ops bot', provider: 'chat', chat_app_id: 'A0123456789' },
    actor: { chat_team_id: 'T0123456789', chat_user_id: 'U0123456789' },
    conversation: { external_thread_key: 'C1:1718000000.000100', external_message_key: 'C1:1718000000.000200' },
  },
  'agent.delivery': {
    response_key: 'C1:1718000001.000300',
    delegating_agent: { chat_app_id: '' },
    conversation: { external_message_key: 'example' },
  },
  'agent.feedback': { response_key: 'example', rating: 'positive', reason: 'Short and right' },
  'agent.plans.create': { steps: [{ operation: 'incidents.create', input: { title: 'Card payments fail' } }] },
  'agent.plans.respond': { answers: { title: 'Card payments fail' } },
  'agent.plans.confirm': { version: 1 },
  'agent.plans.cancel': { reason: 'The payments work again' },

  'subscribers.create': { channel: 'webhook', url: 'https://hooks.example.com/status', locale: 'en' },
  'subscribers.update': { time_zone: 'Europe/Berlin', frequency: 'immediate' },
  'subscribers.preferences.put': {
    subscriptions: [
      {
        scope: { kind: 'items', items: [{ slug: 'payments' }] },
        event_kinds: ['incident.created', 'incident.resolved'],
      },
    ],
  },
  'subscribers.suppress': { reason: 'The person asked us to' },
  'feeds.create': {
    name: 'Payments',
    format: 'atom',
    kinds: ['incidents'],
    managers: [{ name: 'Ada', email: 'ada@example.com' }],
  },
  'feeds.update': { name: 'Payments and accounts', enabled: true },
  'subscriptions.create': { email: 'reader@example.com', locale: 'en' },
  'subscriptions.manage_link': { email: 'reader@example.com' },
  'subscriptions.manage': { frequency: 'daily', time_zone: 'Europe/Berlin' },
  'subscribers.import':
    'email,locale,items,event_kinds\nreader@example.com,en,payments,incident.created;incident.resolved\n',
  'subscribers.bounces': { email: 'reader@example.com', kind: 'soft', reason: 'The mailbox is full' },

  'views.create': { name: 'Card payments', alias: 'card-payments', items: [{ slug: 'payments' }] },
  'views.update': { name: 'Card payments', include_descendants: false },
  'views.alias_blocklist.create': { value: 'admin' },
  'views.alias_blocklist.update': { value: 'admin' },
  'views.access_request': { email: 'reader@example.com' },
  'views.access': { email: 'reader@example.com', code: '493027' },

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
  // The beginning of an outage, so that an earlier time is valid whenever the example page was made.
  [/^status_events\.(time|delete)/, { id: 3 }],
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
