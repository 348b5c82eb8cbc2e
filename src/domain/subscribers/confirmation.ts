import type { Subscriber } from '../../persistence/entities/subscriber.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { addNotification } from '../notifications/announce.ts'

/** A stranger cannot fill the mailbox of another person: one confirmation mail in ten minutes. */
const PAUSE_MS = 10 * 60 * 1000

/** Asks for a confirmation mail, unless one was asked for a moment ago. */
export function askForConfirmation(ctx: WorkContext, subscriber: Subscriber): boolean {
  const { now } = ctx
  const { confirmation_sent_at: last, unsubscribed_at: left } = subscriber
  // Only the owner of the address can have unsubscribed since.
  const hasLeft = last !== null && left !== null && left >= last
  if (last && !hasLeft && now.getTime() - last.getTime() < PAUSE_MS) return false
  subscriber.confirmation_number += 1
  subscriber.confirmation_sent_at = now
  const { id, confirmation_number } = subscriber
  addNotification(ctx, {
    ...{ key: 'subscription.confirm', kind: 'subscriber', id, natural: `confirmation:${confirmation_number}` },
  })
  return true
}

/** Asks for the first confirmation mails of new subscribers. One notification is for all, so that no other waits behind thousands. */
export function announceConfirmations(ctx: WorkContext, subscriber_ids: number[]): void {
  if (subscriber_ids.length === 0) return
  const natural = `confirmations:${subscriber_ids[0]}`
  addNotification(ctx, { key: 'subscription.confirm', kind: 'page', id: ctx.pageId, natural, data: { subscriber_ids } })
}
