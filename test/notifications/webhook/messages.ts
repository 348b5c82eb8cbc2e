import type { EventFacts, Message, SenderServices } from '../../../src/domain/notifications/channels/channel.ts'
import type { Content } from '../../../src/persistence/entities/notification-event.ts'

export const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

export const event = (fields: Partial<EventFacts> = {}): EventFacts => ({
  ...{ id: 81, key: 'incident.updated', subject_kind: 'incident', subject_id: 12 },
  ...{ due_at: new Date('2026-11-23T10:00:00Z'), created_at: new Date('2026-11-23T10:00:00.250Z') },
  ...{ late: false, missed: 0, data: {} },
  ...fields,
})

export const content = (fields: Partial<Content> = {}): Content => ({
  sequence: 3,
  page: { id: 1, name: 'Example', url: 'https://status.example.com/' },
  record: { id: 12, title: 'Search is slow', status: 'degraded', updates: [] },
  items: [],
  scope: [],
  statuses: {},
  translations: { record: [], update: [] },
  ...fields,
})

/** A message to a webhook. */
export function message(url: string, fields: Partial<Message['recipient']> = {}, id = 'msg_5'): Message {
  const address = new URL(url).href
  return {
    id,
    page_id: 1,
    notifications: [{ event: event(), content: content() }],
    recipient: {
      ...{ address, shown_address: url, subscriber_id: 4, locale: 'en', time_zone: 'UTC' },
      ...{ secrets: [secret], links: {} },
      ...fields,
    },
    settings: {} as Message['settings'],
  }
}

export const services = (fields: Partial<SenderServices> = {}): SenderServices =>
  ({ beatTargets: 'any', ownPorts: { includes: () => false }, clock: () => new Date(), ...fields }) as SenderServices
