import { createHash } from 'node:crypto'
import type { ClaimedDelivery } from '../../persistence/deliveries.ts'
import type { NotificationEvent } from '../../persistence/entities/notification-event.ts'
import type { Subscriber } from '../../persistence/entities/subscriber.ts'
import type { PageRef } from '../kernel/context.ts'
import type { Keyring } from '../kernel/keyring.ts'
import type { Services } from '../kernel/services.ts'
import type { Message } from '../notifications/channels/channel.ts'
import type { Settings } from '../settings/schema.ts'
import { linksFor } from '../subscribers/links.ts'
import { codeOf } from '../views/codes.ts'
import type { Narrowing } from './view-narrowing.ts'

export interface Writing {
  services: Pick<Services, 'keyring' | 'baseUrl' | 'baseDomain'>
  page: PageRef
  settings: Settings
  now: Date
  /** Of webhooks, by the id of the subscriber. */
  secrets: Map<number, string[]>
  narrowed: Narrowing
}

type To = Pick<
  ClaimedDelivery,
  | 'subscriber_id'
  | 'channel'
  | 'address'
  | 'shown_address'
  | 'locale'
  | 'time_zone'
  | 'confirmation_number'
  | 'subscriber_state'
>

/** The message of a delivery, or of a daily mail with several notifications. */
export function messageFor(
  { services, page, settings, now, secrets, narrowed }: Writing,
  to: To,
  events: NotificationEvent[],
): Message {
  const { subscriber_id: id, channel, address, shown_address, locale, time_zone } = to
  const state = to.subscriber_state as Subscriber['state'] | null
  const subscriber =
    id === null || state === null ? null : { id, address, state, confirmation_number: to.confirmation_number ?? 0 }
  return {
    id: messageId(page.id, channel, address, events),
    page_id: page.id,
    notifications: events.flatMap((event) => (event.content ? { event, content: narrowed(event.content, id) } : [])),
    settings,
    recipient: {
      address,
      shown_address: shown_address ?? address,
      subscriber_id: id,
      locale: locale ?? languageOf(events) ?? settings.document_locale,
      time_zone: time_zone ?? settings.reliability_policy_timezone,
      secrets: secrets.get(id ?? 0) ?? [],
      links:
        subscriber && channel === 'email'
          ? linksFor(services, page, subscriber, now)
          : codeIn(services.keyring, events),
    },
  }
}

/** The language in which a person asked for a code. */
const languageOf = ([event]: NotificationEvent[]) =>
  typeof event?.data.locale === 'string' ? event.data.locale : undefined

const codeIn = (keyring: Keyring, [event]: NotificationEvent[]) =>
  event?.key === 'view.access_code' ? { code: codeOf(keyring, Number(event.data.request_id)) } : {}

/** From facts alone, and from the moment of the event: after a restore of the database another event may have the same number. */
function messageId(pageId: number, channel: string, address: string, events: NotificationEvent[]): string {
  const facts = events.map(({ id, created_at }) => [id, created_at.toISOString()])
  const hash = createHash('sha256')
    .update(JSON.stringify([pageId, channel, address, facts]))
    .digest('base64url')
  return `msg_${hash.slice(0, 27)}`
}
