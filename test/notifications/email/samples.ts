import type { Message } from '../../../src/domain/notifications/channels/channel.ts'
import { filled } from '../../../src/domain/settings/schema.ts'

type Notification = Message['notifications'][number]

export const page = { id: 3, name: 'Acme', url: 'https://status.acme.test/' }

export const incident = {
  id: 12,
  status: 'partial_outage',
  title: 'Search answers slowly',
  description: 'Some searches take longer than 10 s.',
  started_at: '2026-03-29T08:30:00Z',
  created_at: '2026-03-29T08:31:00Z',
  resolved_at: null,
  impact: 'Searches in the web shop',
  lifecycle_stage: { id: 1, name: 'Identified' },
  updates: [{ id: 30, message: 'A replica is down.', created_at: '2026-03-29T09:00:00Z' }],
}

const maintenance = {
  id: 8,
  status: 'scheduled',
  title: 'Database upgrade',
  description: 'Writes are refused for some minutes.',
  scheduled_start_time: '2026-04-02T22:00:00Z',
  scheduled_end_time: '2026-04-03T00:00:00Z',
}

const update = { id: 30, message: 'A replica is down.\nWe are adding another one.', status: 'partial_outage' }

interface Sample {
  kind: string
  record: Record<string, unknown>
  data?: Record<string, unknown>
  update?: Record<string, unknown>
}

/** A record for each event key. */
export const samples: Record<string, Sample> = {
  'incident.created': { kind: 'incident', record: incident },
  'incident.updated': { kind: 'incident', record: incident, update },
  'incident.resolved': {
    kind: 'incident',
    record: { ...incident, status: 'resolved', resolved_at: '2026-03-29T10:00:00Z' },
    update: { ...update, status: 'resolved', message: 'All replicas answer.' },
  },
  'incident.reminder': { kind: 'incident', record: incident },
  'incident.long_running': { kind: 'incident', record: incident },
  'maintenance.scheduled': { kind: 'maintenance', record: maintenance },
  'maintenance.updated': { kind: 'maintenance', record: maintenance },
  'maintenance.reminder': { kind: 'maintenance', record: maintenance, data: { reminder: 'before_start', minutes: 60 } },
  'maintenance.started': { kind: 'maintenance', record: { ...maintenance, status: 'in_progress' } },
  'maintenance.completed': { kind: 'maintenance', record: { ...maintenance, status: 'completed' } },
  'maintenance.cancelled': { kind: 'maintenance', record: { ...maintenance, status: 'cancelled' } },
  'maintenance.overrun': { kind: 'maintenance', record: { ...maintenance, status: 'in_progress' } },
  'series.rescheduled': {
    kind: 'series',
    record: { id: 2, title: 'Patch day' },
    data: {
      ...{ moved: 3, made: 1, cancelled: 2, coming: 5 },
      next_starts: ['2026-04-02T22:00:00.000Z', '2026-04-09T22:00:00.000Z', '2026-04-16T22:00:00.000Z'],
    },
  },
  'item.status_changed': {
    kind: 'item',
    record: { id: 5, name: 'Search', status: 'degraded' },
    data: { status: 'degraded', previous_status: 'operational' },
  },
  'beat.stage_changed': {
    kind: 'beat',
    record: { id: 4, name: 'Search API' },
    data: { from_stage: 'healthy', to_stage: 'critical', evidence: 'HTTP 503 after 212 ms' },
  },
  'beat.review_requested': {
    kind: 'beat',
    record: { id: 4, name: 'Search API' },
    data: { stage: 'critical', kind: 'open', title: 'Search is down' },
  },
  'subscription.confirm': { kind: 'subscriber', record: { id: 7 } },
  'subscription.manage': { kind: 'subscriber', record: { id: 7 } },
  'subscription.test': { kind: 'subscriber', record: { id: 7 } },
}

export function notificationOf(key: string, fields: Partial<Sample> = {}): Notification {
  const { kind, record, data = {}, update } = { ...samples[key]!, ...fields }
  const moment = new Date('2026-03-29T09:00:00Z')
  return {
    event: {
      ...{ id: 71, key, subject_kind: kind, subject_id: record.id as number, data },
      ...{ due_at: moment, created_at: moment, late: false, missed: 0 },
    },
    content: {
      ...{ sequence: 1, page, record, items: [{ id: 5, name: 'Search' }], scope: [5] },
      ...(update ? { update } : {}),
      statuses: {},
      translations: { record: [], update: [] },
    },
  }
}

export function messageOf(
  notifications: Notification[],
  recipient: Partial<Message['recipient']> = {},
  settings: Record<string, unknown> = {},
): Message {
  return {
    id: 'delivery-90',
    page_id: page.id,
    notifications,
    recipient: {
      ...{ address: 'ann@example.com', shown_address: 'Ann@example.com', subscriber_id: 7, secrets: [] },
      ...{ locale: 'en', time_zone: 'Europe/Berlin' },
      links: {
        manage: 'https://status.acme.test/api/v1/subscriptions/manage?token=m',
        unsubscribe: 'https://status.acme.test/api/v1/subscriptions/unsubscribe?token=u',
        confirm: 'https://status.acme.test/api/v1/subscriptions/confirm?token=c',
      },
      ...recipient,
    },
    settings: filled({ email_from_address: 'status@acme.test', ...settings }),
  }
}

export const mailAbout = (key: string, recipient = {}, settings = {}) =>
  messageOf([notificationOf(key)], recipient, settings)
