import type { Delivery } from '../../persistence/entities/delivery.ts'

const iso = (moment: Date | null) => moment?.toISOString() ?? null

/** Addresses are people's: only admins see them, and the answers of receivers, which may repeat them. */
export function presentDelivery(delivery: Delivery, isAdmin: boolean) {
  const { id, notification_id, subscriber_id, channel, address, state, reason, digest, attempts } = delivery
  return {
    ...{ id, notification_id, channel, state },
    attempts: isAdmin ? attempts : attempts.map(({ answer: _answer, ...attempt }) => attempt),
    ...(subscriber_id === null ? {} : { subscriber_id }),
    ...(isAdmin && channel !== 'in_app' ? { recipient: address } : {}),
    ...(reason === null ? {} : { reason }),
    ...(digest ? { digest } : {}),
    next_attempt_at: iso(delivery.next_attempt_at),
    sent_at: iso(delivery.sent_at),
    created_at: delivery.created_at.toISOString(),
    updated_at: delivery.updated_at.toISOString(),
  }
}
