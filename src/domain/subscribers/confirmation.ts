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
  announceConfirmation(ctx, subscriber)
  return true
}

/** Asks for the confirmation mail whose number is stored. */
export function announceConfirmation(
  ctx: WorkContext,
  { id, confirmation_number }: Pick<Subscriber, 'id' | 'confirmation_number'>,
): void {
  const natural = `confirmation:${confirmation_number}`
  addNotification(ctx, { key: 'subscription.confirm', kind: 'subscriber', id, natural })
}
