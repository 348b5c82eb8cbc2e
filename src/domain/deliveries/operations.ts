import { z } from 'zod'
import { lostItsSubject } from '../../persistence/deliveries.ts'
import { Delivery } from '../../persistence/entities/delivery.ts'
import { NotificationEvent } from '../../persistence/entities/notification-event.ts'
import { Subscriber } from '../../persistence/entities/subscriber.ts'
import { isWantedBy } from '../../persistence/recipients.ts'
import type { Context } from '../kernel/context.ts'
import { Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { cursorKeys, decodeCursor, listOf, pageOf, pagingFields } from '../kernel/paging.ts'
import { mayDo } from '../kernel/permissions.ts'
import { recordSubject } from '../kernel/subject.ts'
import { deliveryStates } from '../notifications/counts-schema.ts'
import { notificationSubject } from '../notifications/operations.ts'
import { settingsOf } from '../settings/stored.ts'
import { isPublicEvent } from './audience-rules.ts'
import { presentDelivery } from './presenter.ts'
import { reachedIn } from './reached-rules.ts'
import { renderedFor } from './rendered.ts'
import { withheldBecause } from './rules.ts'
import { DeliveryResource, deliveryChannels } from './schema.ts'
import { withheldFromNamed } from './settings-recipients.ts'

const area = 'audit' as const

/** Audit rows have no address. */
const deliverySubject = recordSubject('delivery', Delivery, ({ id, notification_id, channel, state, reason }) => ({
  ...{ id, notification_id, channel, state, reason },
}))

export const isAdminOf = ({ actor }: Pick<Context, 'actor'>): boolean =>
  actor.kind !== 'anonymous' && mayDo(actor, area, 'admin')

const filters = {
  state: z.enum(deliveryStates).optional().describe('Only deliveries with this state'),
  channel: z.enum(deliveryChannels).optional().describe('Only deliveries by this channel'),
  ...pagingFields,
}

async function listWhere(
  ctx: Context,
  only: object,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
) {
  const last = decodeCursor(cursor, z.tuple([cursorKeys.bigId]))
  const where = { ...only, ...(last ? { id: { $lt: last[0] } } : {}) }
  const rows = await ctx.tx.find(Delivery, where, { orderBy: { id: 'desc' }, limit: limit + 1 })
  const page = pageOf(rows, limit, ({ id }) => [id])
  const deliveries = page.rows.map((row) => presentDelivery(row, isAdminOf(ctx)))
  return { deliveries, total: await ctx.tx.count(Delivery, only), next_cursor: page.next_cursor }
}

const given = (fields: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

export const listNotificationDeliveries = operation({
  name: 'notifications.deliveries',
  area,
  permission: 'read',
  summary: 'List the deliveries of a notification, newest first',
  subject: notificationSubject,
  input: z.strictObject(filters),
  output: listOf('deliveries', DeliveryResource),
  run: (ctx, { state, channel, ...paging }, { id }) =>
    listWhere(ctx, { notification_id: id, ...given({ state, channel }) }, paging),
})

export const listDeliveries = operation({
  name: 'deliveries.list',
  area,
  permission: 'read',
  summary: 'List deliveries, newest first',
  input: z.strictObject({
    subscriber_id: z.coerce.number().int().min(1).optional().describe('Only deliveries to this subscriber'),
    ...filters,
  }),
  output: listOf('deliveries', DeliveryResource),
  run: (ctx, { subscriber_id, state, channel, ...paging }) =>
    listWhere(ctx, given({ subscriber_id, state, channel }), paging),
})

export const getDelivery = operation({
  name: 'deliveries.get',
  area,
  permission: 'read',
  summary: 'Get a delivery, for admins with its message',
  subject: deliverySubject,
  input: z.strictObject({}),
  output: DeliveryResource,
  run: async (ctx, _input, delivery) => {
    const isAdmin = isAdminOf(ctx)
    const rendered = isAdmin ? await renderedFor(ctx, delivery) : undefined
    return { ...presentDelivery(delivery, isAdmin), ...(rendered ? { rendered } : {}) }
  },
})

/** What an admin does first, so that the subscriber gets messages again. */
const remedies: Record<string, string> = {
  subscriber_disabled: ' Enable the subscriber first, then retry the delivery.',
  subscriber_suppressed: ' Restore the subscriber first, then retry the delivery.',
}

const obstacles: Record<string, string> = {
  subject_deleted: 'what it is about was deleted',
  subscriber_deleted: 'its subscriber was deleted',
  already_confirmed: 'its subscriber is confirmed already',
  not_in_settings: 'the settings no longer name its address',
  out_of_scope: 'no subscription of its subscriber asks for the notification any more',
}

/** A retry whose message would be withheld is refused: it would replace the outcome, and nothing could be retried later. */
async function requireSendable({ tx, page, now }: Context, delivery: Delivery, event: NotificationEvent) {
  const { id, subscriber_id, notification_id } = delivery
  const subscriber = subscriber_id === null ? null : await tx.findOne(Subscriber, { id: subscriber_id })
  const subject_deleted = await lostItsSubject(tx, page.id, notification_id)
  const wanted = await asksFor(tx, page.id, subscriber_id, event)
  const facts = { subscriber_id, subscriber_state: subscriber?.state ?? null, wanted, due_at: now }
  const withheldFrom = await withheldFromNamed(tx, event, await settingsOf(tx), [delivery])
  const reason =
    withheldBecause({ ...facts, subject_deleted }, event.key, now, Number.POSITIVE_INFINITY) ?? withheldFrom(delivery)
  if (reason === null) return
  const whose = subscriber_id === null ? 'the subscriber with its address' : `its subscriber ${subscriber_id}`
  const obstacle = obstacles[reason] ?? `${whose} is ${subscriber?.state ?? 'suppressed'}`
  throw new Problem('conflict', `The delivery ${id} cannot be sent, because ${obstacle}.${remedies[reason] ?? ''}`)
}

/** Whether a subscription of the subscriber still asks for the event. */
async function asksFor(
  tx: Context['tx'],
  pageId: number,
  subscriberId: number | null,
  event: NotificationEvent,
): Promise<boolean> {
  if (subscriberId === null || !event.content) return true
  const { key, content } = event
  const wanted = { key, isPublic: isPublicEvent(event), scope: content.scope, items: reachedIn(content) }
  return isWantedBy(tx, pageId, subscriberId, wanted)
}

export const retryDelivery = operation({
  name: 'deliveries.retry',
  area,
  permission: 'admin',
  affectsPage: false,
  summary: 'Send a delivery again that failed or was given up',
  description:
    'The message has the same id: a receiver that has got it recognizes the message. Others are a 409, and so is a delivery that would be withheld: to a subscriber that is not active, was deleted or no longer asks for it, or about a record that was deleted.',
  subject: deliverySubject,
  input: z.strictObject({}),
  output: DeliveryResource,
  run: async (ctx, _input, delivery) => {
    const { id, state } = delivery
    if (state !== 'failed' && state !== 'dead') {
      throw new Problem(
        'conflict',
        `The delivery ${id} is ${state}: only a delivery that failed or is dead can be retried.`,
      )
    }
    const event = await ctx.tx.findOneOrFail(NotificationEvent, { id: delivery.notification_id })
    await requireSendable(ctx, delivery, event)
    Object.assign(delivery, { state: 'retrying', reason: null, next_attempt_at: ctx.now, updated_at: ctx.now })
    // A message of its own, also for a part of a daily mail.
    delivery.digest = false
    event.state = 'sending'
    ctx.wake({ kind: 'notification', id: event.id }, `the retry of delivery ${id} by "${ctx.actor.name}"`)
    ctx.revised()
    return presentDelivery(delivery, true)
  },
})
