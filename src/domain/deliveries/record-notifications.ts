import { z } from 'zod'
import { Delivery } from '../../persistence/entities/delivery.ts'
import { NotificationEvent } from '../../persistence/entities/notification-event.ts'
import { countsOf, findEvents } from '../../persistence/notification-lists.ts'
import { incidentSubject } from '../incidents/subject.ts'
import type { Context } from '../kernel/context.ts'
import { operation, type Subject } from '../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../kernel/paging.ts'
import { maintenanceSubject } from '../maintenances/subject.ts'
import { NotificationEventResource, presentNotification } from '../notifications/presenter.ts'
import { isAdminOf } from './operations.ts'
import { presentDelivery } from './presenter.ts'
import { DeliveryResource } from './schema.ts'

/** A notification shows so many of its deliveries; the list of its deliveries has the others. */
const SHOWN = 100

const NotifiedEvent = z
  .strictObject({
    notification: NotificationEventResource,
    sent: z.int(),
    pending: z.int().describe('Deliveries that have no end yet'),
    failed: z.int().describe('Deliveries that were refused, or given up'),
    not_sent: z
      .array(z.strictObject({ reason: z.string(), count: z.int() }))
      .describe(
        'Who was not notified, and why. A count of 0 names the reason for which the notification has no recipient',
      ),
    deliveries: z.array(DeliveryResource).describe(`The first ${SHOWN}`),
  })
  .meta({ id: 'NotifiedEvent' })

const notificationsOf = (kind: 'incident' | 'maintenance', name: string, subject: Subject<never>) =>
  operation({
    name,
    area: 'audit',
    permission: 'read',
    summary: `Get who was notified of ${kind === 'incident' ? 'an incident' : 'a maintenance'}, who was not, and why`,
    description: 'Every notification of the record, newest first, also those that were not to be sent.',
    subject: subject as Subject<{ id: number }>,
    input: z.strictObject(pagingFields),
    output: listOf('events', NotifiedEvent),
    run: async (ctx, { limit, cursor }, { id }) => {
      const after = decodeCursor(cursor, z.tuple([cursorKeys.bigId]))
      const { tx, pageId } = ctx
      const about = { kind, id, withheld: true, inApp: false, before: after?.[0], limit: limit + 1 }
      const { ids, total } = await findEvents(tx, pageId, about)
      const page = pageOf(ids, limit, (one) => [one.id])
      const shown = page.rows.map((one) => one.id)
      return { events: await presentEvents(ctx, shown), total, next_cursor: page.next_cursor }
    },
  })

async function presentEvents(ctx: Context, ids: number[]) {
  const { tx, pageId } = ctx
  const events = await tx.find(NotificationEvent, { id: { $in: ids } }, { orderBy: { id: 'desc' } })
  const counts = Map.groupBy(await countsOf(tx, pageId, ids), (row) => row.notification_id)
  const isAdmin = isAdminOf(ctx)
  const shown = []
  for (const event of events) {
    const rows = counts.get(event.id) ?? []
    const sum = (...states: string[]) =>
      rows.filter(({ state }) => states.includes(state)).reduce((total, { count }) => total + count, 0)
    const suppressed = rows.flatMap(({ state, reason, count }) =>
      state === 'suppressed' ? [{ reason: reason ?? 'suppressed', count }] : [],
    )
    const first = await tx.find(Delivery, { notification_id: event.id }, { orderBy: { id: 'asc' }, limit: SHOWN })
    shown.push({
      notification: presentNotification(event),
      sent: sum('sent'),
      pending: sum('queued', 'retrying'),
      failed: sum('failed', 'dead'),
      not_sent: summed([...suppressed, ...leftOut(event), ...withoutRecipients(event)]),
      deliveries: first.map((delivery) => presentDelivery(delivery, isAdmin)),
    })
  }
  return shown
}

interface Unsent {
  reason: string
  count: number
}

/** One entry for each reason. */
const summed = (unsent: Unsent[]): Unsent[] =>
  [...Map.groupBy(unsent, ({ reason }) => reason)].map(([reason, rows]) => ({
    reason,
    count: rows.reduce((sum, { count }) => sum + count, 0),
  }))

const leftOut = ({ left_out }: NotificationEvent) =>
  Object.entries(left_out).map(([reason, count]) => ({ reason, count }))

function withoutRecipients({ withheld, state, left_out }: NotificationEvent) {
  if (withheld !== null) return [{ reason: withheld, count: 0 }]
  const isForNoOne = state === 'no_recipient' && Object.keys(left_out).length === 0
  return isForNoOne ? [{ reason: 'no_recipient', count: 0 }] : []
}

export const incidentNotifications = notificationsOf('incident', 'incidents.notifications', incidentSubject as never)

export const maintenanceNotifications = notificationsOf(
  'maintenance',
  'maintenances.notifications',
  maintenanceSubject as never,
)
