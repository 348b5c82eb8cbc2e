import type { Subscriber } from '../../persistence/entities/subscriber.ts'
import { Problem } from '../kernel/errors.ts'
import { LONGEST_PAUSE_DAYS, MOST_SOFT_BOUNCES, type Move, type State, stateAfter } from './rules.ts'

/** Moves a subscriber to the state that follows, or refuses. */
export function move(subscriber: Subscriber, how: Move): State {
  const after = stateAfter(how, subscriber.state)
  if (!after) throw new Problem('conflict', `The subscriber ${subscriber.id} is ${subscriber.state}.`)
  subscriber.state = after
  return after
}

export function suppress(subscriber: Subscriber, now: Date, reason: string): void {
  if (subscriber.state === 'suppressed') return
  move(subscriber, 'suppress')
  subscriber.suppressed_at = now
  subscriber.suppression_reason = reason
}

/** Bounces are reported later than the mail was accepted, so that an accepted mail does not end a row of bounces. */
const LONGEST_PAUSE_MS = LONGEST_PAUSE_DAYS * 24 * 60 * 60 * 1000

/** Returns whether the subscriber changed: a bounce of an address that is suppressed already changes nothing. */
export function countBounce(
  subscriber: Subscriber,
  kind: 'soft' | 'hard' | 'complaint',
  now: Date,
  reason?: string,
): boolean {
  if (subscriber.state === 'suppressed') return false
  if (kind !== 'complaint') {
    const { bounced_at: last, bounce_count: before } = subscriber
    const isInRow = last !== null && now.getTime() - last.getTime() <= LONGEST_PAUSE_MS
    Object.assign(subscriber, { bounce_count: isInRow ? before + 1 : 1, bounced_at: now })
  }
  if (kind === 'soft' && subscriber.bounce_count < MOST_SOFT_BOUNCES) return true
  const words = { soft: `${MOST_SOFT_BOUNCES} soft bounces in a row`, hard: 'A hard bounce', complaint: 'A complaint' }
  suppress(subscriber, now, reason ? `${words[kind]}: ${reason}` : words[kind])
  return true
}
