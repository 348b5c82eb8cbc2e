import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { Subscriber } from '../../persistence/entities/subscriber.ts'
import type { Outcome } from '../notifications/channels/channel.ts'
import { countBounce } from '../subscribers/bounces.ts'

/** An address that refuses mail for good is suppressed; a webhook that is gone is disabled. */
export async function applyToSubscriber(
  tx: EntityManager,
  id: number | null,
  outcome: Outcome | null,
  now: Date,
): Promise<void> {
  const effect = outcome?.result === 'refused' ? outcome.subscriber : undefined
  if (id === null || !outcome || !effect) return
  const subscriber = await tx.findOne(Subscriber, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!subscriber) return
  const changed = effect === 'bounced' ? countBounce(subscriber, 'hard', now, outcome.answer) : disable(subscriber)
  if (!changed) return
  subscriber.version += 1
  subscriber.updated_at = now
  await tx.flush()
}

function disable(subscriber: Subscriber): boolean {
  if (subscriber.state !== 'active') return false
  subscriber.state = 'disabled'
  return true
}
