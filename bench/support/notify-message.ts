import { randomBytes } from 'node:crypto'
import type { Message } from '../../src/domain/notifications/channels/channel.ts'
import type { Caller } from '../../test/support/caller.ts'

/** The message of one delivery, from which the loop writes all of its messages. */
export async function messageOf(admin: Caller, id: number, channel: 'email' | 'webhook'): Promise<Message> {
  const { body } = await admin.get(`/admin/notifications/${id}/deliveries?limit=1&channel=${channel}`)
  const { body: delivery } = await admin.get(`/admin/deliveries/${body.deliveries[0].id}`)
  const { body: settings } = await admin.get('/admin/settings')
  const { body: event } = await admin.get(`/admin/notifications/${id}`)
  const { body: incident } = await admin.get(`/admin/incidents/${event.subject.id}`)
  return {
    id: 'msg_0',
    page_id: 1,
    notifications: [
      {
        event: {
          ...{
            id,
            key: event.key,
            subject_kind: 'incident',
            subject_id: incident.id,
            late: false,
            missed: 0,
            data: event.data,
          },
          ...{ due_at: new Date(event.due_at), created_at: new Date(event.created_at) },
        },
        content: {
          ...{
            sequence: 1,
            page: { id: 1, name: 'Acme', url: 'http://localhost/' },
            record: incident,
            items: [],
            scope: [],
          },
          ...{ update: incident.updates[0], statuses: {}, translations: { record: [], update: [] } },
        },
      },
    ],
    recipient: {
      ...{
        address: delivery.recipient.replace(/\d+(?=@|$)/, '0'),
        shown_address: delivery.recipient,
        subscriber_id: 1,
      },
      ...{ locale: 'en', time_zone: 'UTC', secrets: [`whsec_${randomBytes(24).toString('base64')}`] },
      links: { manage: 'https://status.example.com/m', unsubscribe: 'https://status.example.com/u' },
    },
    settings,
  }
}
