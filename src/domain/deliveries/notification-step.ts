import { hasDeliveries, nextAttemptOf } from '../../persistence/deliveries.ts'
import { type Content, NotificationEvent } from '../../persistence/entities/notification-event.ts'
import { ViewAccessRequest } from '../../persistence/entities/view-access-request.ts'
import { addDeliveriesTo, addDelivery, digestZones, expandDeliveries } from '../../persistence/recipients.ts'
import { lockSubject, type Step, type StepContext, type StepResult } from '../kernel/step.ts'
import { isTransactional } from '../notifications/keys.ts'
import { settingsOf } from '../settings/stored.ts'
import { nextDigestAt } from '../subscribers/digest-time.ts'
import { isPublicEvent } from './audience-rules.ts'
import { contentOf } from './content.ts'
import { reachedIn } from './reached-rules.ts'
import { recipientsInSettings } from './settings-recipients.ts'

/** How many subscribers a step looks at: a page may have many thousand, and the first recipients do not wait for the last. */
const AT_ONCE = 2000
/** Sending begins after the first step, which is short; the next ones find recipients while it sends. */
const AT_FIRST = 500

/** What the errand does: it also finds the recipients that are left, or only sends. */
const errands = { find: 'find and send', send: 'send' }

export const hasMoreRecipients = ({ errand }: StepResult): boolean => errand === errands.find

/**
 * One step of the process of a notification: finds the next part of the recipients, then asks for the errand that sends, then
 * waits for the next attempt. The errand takes the steps that find the other parts.
 */
async function step(ctx: StepContext): Promise<StepResult> {
  const event = await lockSubject(ctx, NotificationEvent)
  if (!event || event.state === 'done' || event.state === 'no_recipient') return { done: true, says: 'nothing' }
  if (event.state === 'queued') {
    event.content = await contentOf(ctx.tx, ctx.services, event)
    if (!event.content) return finish(ctx, event, 'what the notification is about was deleted')
    event.state = 'sending'
    event.expanded_to = 0
    await addNamedRecipients(ctx, event)
  }
  if (event.expanded_to !== null && !isTransactional(event.key)) {
    await expand(ctx, event, event.content!)
    if (event.expanded_to !== null)
      return { done: false, says: 'the next part of its recipients', errand: errands.find }
  }
  await ctx.tx.flush()
  const next = await nextAttemptOf(ctx.tx, ctx.pageId, event.id)
  if (!next) return finish(ctx, event)
  if (next > ctx.now) return { done: false, says: `the next attempt at ${next.toISOString()}`, until: next }
  return { done: false, says: 'its deliveries', errand: errands.send }
}

/** Readers of the page see nothing of deliveries. */
export const notificationStep: Step = Object.assign(step, { affectsPage: false })

async function finish(
  { tx, note, pageId }: StepContext,
  event: NotificationEvent,
  because?: string,
): Promise<StepResult> {
  const sent = await hasDeliveries(tx, pageId, event.id)
  event.state = sent ? 'done' : 'no_recipient'
  const reason = because ?? (sent ? undefined : 'no active subscription asks for the notification')
  if (reason) note('recipients', `sent to no one: ${reason}`)
  return { done: true, says: 'nothing: every delivery has an end or waits for a daily mail' }
}

/** From when on it grows old: what readers learn late, such as a window that began, is as old as its moment. */
const newsOf = (event: NotificationEvent): Date => (isPublicEvent(event) ? event.due_at : event.created_at)

/** The recipients that no subscription names: who asked for a mail, and addresses in the settings. */
async function addNamedRecipients({ tx, pageId, now }: StepContext, event: NotificationEvent): Promise<void> {
  const common = { pageId, notificationId: event.id, now, due: newsOf(event) }
  if (event.key === 'view.access_code') {
    const request = await tx.findOne(ViewAccessRequest, { id: Number(event.data.request_id) })
    if (request) await addDelivery(tx, { ...common, subscriberId: null, channel: 'email', address: request.email })
    return
  }
  if (isTransactional(event.key)) {
    await addDeliveriesTo(tx, subscribersIn(event), common)
    return
  }
  for (const address of recipientsInSettings(event, await settingsOf(tx))) {
    await addDelivery(tx, { ...common, subscriberId: null, channel: 'email', address })
  }
}

/** Whom a transactional event is about: the confirmations of an import are one event. */
const subscribersIn = ({ subject_id, data }: NotificationEvent) =>
  (data.subscriber_ids as number[] | undefined) ?? [subject_id]

/** Writes the deliveries of the next subscribers. */
async function expand(ctx: StepContext, event: NotificationEvent, content: Content): Promise<void> {
  const { tx, pageId, now } = ctx
  const { last, written, digests, left_out } = await expandDeliveries(tx, {
    ...{
      pageId,
      notificationId: event.id,
      key: event.key,
      isPublic: isPublicEvent(event),
      scope: content.scope,
      items: reachedIn(content),
    },
    ...{
      after: event.expanded_to ?? 0,
      limit: event.expanded_to === 0 ? AT_FIRST : AT_ONCE,
      now,
      due: newsOf(event),
      digestAt: await digestMoments(ctx, event),
    },
  })
  event.expanded_to = last
  event.left_out = sumOf(event.left_out, left_out)
  if (written > 0) ctx.note('recipients', `${written} ${written === 1 ? 'delivery' : 'deliveries'} planned`)
  if (digests > 0) ctx.wake({ kind: 'digest', id: pageId }, '')
}

function sumOf(before: Record<string, number>, added: Record<string, number>): Record<string, number> {
  const sum = { ...before }
  for (const [reason, count] of Object.entries(added)) sum[reason] = (sum[reason] ?? 0) + count
  return sum
}

/** When the daily mail is due next, by the time zones of the subscribers of the page. */
async function digestMoments({ tx, pageId }: StepContext, { created_at }: NotificationEvent) {
  const zones = await digestZones(tx, pageId)
  const { reliability_policy_timezone } = await settingsOf(tx)
  return Object.fromEntries(
    [...zones, ''].map((zone) => [zone, nextDigestAt(created_at, zone || reliability_policy_timezone).toISOString()]),
  )
}
