import type { Subscriber as Row } from '../../persistence/entities/subscriber.ts'
import { Subscriber } from '../../persistence/entities/subscriber.ts'
import { recordSubject } from '../kernel/subject.ts'

/** Audit rows name the record and not the person: they have no address. */
export const subscriberSubject = recordSubject(
  'subscriber',
  Subscriber,
  ({
    id,
    channel,
    state,
    locale,
    time_zone,
    frequency,
    source,
    suppression_reason,
    bounce_count,
    unsubscribed_at,
  }) => ({
    ...{ id, channel, state, locale, time_zone, frequency, source },
    ...{ suppression_reason, bounce_count, unsubscribed_at },
  }),
  { alsoStored: addressOf },
)

export function addressOf({ channel, shown_address }: Row): Record<string, unknown> {
  return channel === 'email' ? { email: shown_address } : { url: shown_address }
}
