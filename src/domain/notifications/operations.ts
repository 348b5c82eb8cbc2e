import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { Delivery, type DeliveryState } from '../../persistence/entities/delivery.ts'
import { NotificationEvent } from '../../persistence/entities/notification-event.ts'
import { countsOf, findEvents } from '../../persistence/notification-lists.ts'
import { notFound } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../kernel/paging.ts'
import { message, subjectFrom, subjectInQuery, view } from '../kernel/schema.ts'
import { recordSubject } from '../kernel/subject.ts'
import { eventKeys, eventSubjects } from './keys.ts'
import { NotificationEventResource, presentNotification } from './presenter.ts'

export const notificationSubject = recordSubject('notification', NotificationEvent, presentNotification)

const listFields = {
  key: z.enum(eventKeys).optional().describe('Only events of this key'),
  subject: subjectInQuery(eventSubjects),
  state: z.enum(['queued', 'sending', 'done', 'no_recipient']).optional().describe('Only events with this state'),
  withheld: z
    .stringbool()
    .default(false)
    .describe('Also notifications that were not to be sent, such as with `notify: false`'),
  channel: z.literal('in_app').optional().describe('Only internal events, which the page itself gets'),
  unread: z.stringbool().optional().describe('With `channel=in_app`: only what was not read, or only what was'),
}

export const listNotifications = operation({
  name: 'notifications.list',
  area: 'audit',
  permission: 'read',
  summary: 'List notification events, newest first',
  description: 'With `view=full`, each event has the counts of its deliveries by state.',
  input: z.strictObject({ view, ...listFields, ...pagingFields }),
  output: listOf('notifications', NotificationEventResource),
  run: async ({ tx, pageId }, { view: how, limit, cursor, ...filters }) => {
    const after = decodeCursor(cursor, z.tuple([cursorKeys.bigId]))
    const { kind, id } = subjectFrom(filters.subject)
    const { ids, total } = await findEvents(tx, pageId, {
      ...{ key: filters.key, kind, id, state: filters.state, withheld: filters.withheld },
      ...{ inApp: filters.channel === 'in_app', unread: filters.unread, before: after?.[0], limit: limit + 1 },
    })
    const page = pageOf(ids, limit, (one) => [one.id])
    const rows = await tx.find(
      NotificationEvent,
      { id: { $in: page.rows.map((one) => one.id) } },
      { orderBy: { id: 'desc' } },
    )
    const counts = how === 'full' ? await countsFor(tx, pageId, rows) : undefined
    const readAt = new Map(page.rows.map((one) => [one.id, one.read_at]))
    const notifications = rows.map((event) => ({
      ...presentNotification(event),
      ...(counts ? { counts: counts(event.id) } : {}),
      ...(filters.channel ? { read_at: readAt.get(event.id)?.toISOString() ?? null } : {}),
    }))
    return { notifications, total, next_cursor: page.next_cursor }
  },
})

async function countsFor(tx: EntityManager, pageId: number, events: NotificationEvent[]) {
  const rows = await countsOf(
    tx,
    pageId,
    events.map(({ id }) => id),
  )
  const byEvent = Map.groupBy(rows, (row) => row.notification_id)
  return (id: number) => {
    const counts: Partial<Record<DeliveryState, number>> = {}
    for (const { state, count } of byEvent.get(id) ?? []) counts[state] = (counts[state] ?? 0) + count
    return counts
  }
}

export const getNotification = operation({
  name: 'notifications.get',
  area: 'audit',
  permission: 'read',
  summary: 'Get a notification event with the counts of its deliveries',
  subject: notificationSubject,
  input: z.strictObject({}),
  output: NotificationEventResource,
  run: async ({ tx, pageId }, _input, event) => ({
    ...presentNotification(event),
    counts: (await countsFor(tx, pageId, [event]))(event.id),
  }),
})

export const readNotification = operation({
  name: 'notifications.read',
  area: 'audit',
  permission: 'admin',
  affectsPage: false,
  summary: 'Mark an internal event as read',
  description: 'Reading twice answers 200. An event that the page itself does not get is a 404.',
  subject: notificationSubject,
  input: z.strictObject({}),
  output: message,
  run: async ({ tx, now, revised }, _input, { id }) => {
    const shown = await tx.findOne(Delivery, { notification_id: id, channel: 'in_app' })
    if (!shown) throw notFound('notification')
    shown.read_at ??= now
    revised()
    return { message: `The notification ${id} is read.` }
  },
})
