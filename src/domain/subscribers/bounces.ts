import type { Subscriber } from '../../persistence/entities/subscriber.ts'
import { Problem } from '../kernel/errors.ts'
import { MOST_SOFT_BOUNCES, type Move, type State, stateAfter } from './rules.ts'

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

export function countBounce(
  subscriber: Subscriber,
  kind: 'soft' | 'hard' | 'complaint',
  now: Date,
  reason?: string,
): void {
  if (kind === 'soft') subscriber.bounce_count += 1
  if (kind === 'soft' && subscriber.bounce_count < MOST_SOFT_BOUNCES) return
  const words = { soft: `${MOST_SOFT_BOUNCES} soft bounces in a row`, hard: 'A hard bounce', complaint: 'A complaint' }
  suppress(subscriber, now, reason ? `${words[kind]}: ${reason}` : words[kind])
}
