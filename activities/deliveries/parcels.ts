import type { EntityManager } from '@mikro-orm/postgresql'
import { isPublicEvent } from '../../src/domain/deliveries/audience-rules.ts'
import { messageFor } from '../../src/domain/deliveries/message.ts'
import { reachedIn } from '../../src/domain/deliveries/reached-rules.ts'
import { withheldBecause } from '../../src/domain/deliveries/rules.ts'
import { withheldFromNamed } from '../../src/domain/deliveries/settings-recipients.ts'
import { narrowingFor } from '../../src/domain/deliveries/view-narrowing.ts'
import type { PageRef } from '../../src/domain/kernel/context.ts'
import type { Services } from '../../src/domain/kernel/services.ts'
import type { Message } from '../../src/domain/notifications/channels/channel.ts'
import type { ChannelName } from '../../src/domain/notifications/channels/index.ts'
import { settingsOf } from '../../src/domain/settings/stored.ts'
import { signingSecretsOf } from '../../src/domain/subscribers/webhook-secret.ts'
import { type ClaimedDelivery, claimDeliveries, claimDigests } from '../../src/persistence/deliveries.ts'
import { NotificationEvent } from '../../src/persistence/entities/notification-event.ts'
import { pageById } from '../../src/persistence/system/directory.ts'
import { inPageTransaction } from '../../src/persistence/transactions.ts'
import type { Deliveries } from '../../workflows/contract.ts'

/** A delivery of a worker that died is tried again after this time. */
const CLAIM_MS = 30_000
/** A claim with less time left may end before the attempt, which takes at most 15 s. */
const ATTEMPT_MS = 17_000
/** The notifications of one daily mail. */
const MOST_IN_DIGEST = 200

export type DeliverRequest = Parameters<Deliveries['deliver']>[0]

/** A message with the deliveries that it fulfils: one, or all that are part of a daily mail. */
export interface Parcel {
  deliveries: ClaimedDelivery[]
  message: Message | null
  /** Why the message is not sent. */
  withheld: string | null
  claimedUntil: Date
}

export const lastsForAttempt = ({ claimedUntil }: Parcel, now: Date): boolean =>
  claimedUntil.getTime() - now.getTime() > ATTEMPT_MS

/** What all messages of an errand have in common. Read once: the content of a notification does not change. */
export interface Source {
  page: PageRef
  /** Null for daily mails, whose notifications differ. */
  event: NotificationEvent | null
}

export async function sourceOf(services: Services, { page_id, id, kind }: DeliverRequest): Promise<Source | null> {
  const page = await pageById(services.system, page_id)
  if (kind === 'digest') return { page, event: null }
  const event = await inPageTransaction(services.app, page_id, (tx) => tx.findOne(NotificationEvent, { id }))
  return event?.content ? { page, event } : null
}

/** Takes what is due as messages, and what is not to be sent with the reason. */
export async function claimParcels(
  services: Services,
  { page, event }: Source,
  channel: ChannelName,
  most: number,
): Promise<Parcel[]> {
  const now = services.clock()
  const claim = { pageId: page.id, limit: most, now, until: new Date(now.getTime() + CLAIM_MS) }
  return inPageTransaction(services.app, page.id, async (tx) => {
    const claimed = event
      ? await claimDeliveries(tx, claim, {
          ...{ notificationId: event.id, channel, key: event.key, isPublic: isPublicEvent(event) },
          scope: event.content!.scope,
          items: reachedIn(event.content!),
        })
      : await claimDigests(tx, claim, MOST_IN_DIGEST * most)
    return claimed.length === 0
      ? []
      : parcelsOf(tx, { services, page, event, channel, now, until: claim.until }, claimed)
  })
}

interface Writing extends Source {
  services: Services
  channel: ChannelName
  now: Date
  until: Date
}

async function parcelsOf(
  tx: EntityManager,
  { services, page, event, channel, now, until }: Writing,
  claimed: ClaimedDelivery[],
): Promise<Parcel[]> {
  const settings = await settingsOf(tx)
  const webhooks = claimed.flatMap(({ subscriber_id, previous_secret_until }) =>
    channel === 'webhook' && subscriber_id !== null ? [{ id: subscriber_id, previous_secret_until }] : [],
  )
  const secrets = await signingSecretsOf(tx, services.keyring, webhooks, now)
  const narrowed = await narrowingFor(
    tx,
    claimed.flatMap(({ subscriber_id }) => subscriber_id ?? []),
  )
  const writing = { services, page, settings, now, secrets, narrowed }
  const ids = [...new Set(claimed.map((one) => one.notification_id))]
  const events = event ? [event] : await tx.find(NotificationEvent, { id: { $in: ids } }, { orderBy: { id: 'asc' } })
  const parcel = (deliveries: ClaimedDelivery[], withheld: string | null): Parcel => {
    const own = events.filter((one) => deliveries.some(({ notification_id }) => notification_id === one.id))
    const message = withheld === null ? messageFor(writing, deliveries[0]!, own) : null
    return { deliveries, withheld, claimedUntil: until, message }
  }
  const withheldFrom = await withheldFromNamed(tx, event, settings, claimed)
  const judged = claimed.map((one) => ({
    one,
    withheld: withheldBecause(one, event?.key ?? '', now, services.maxAgeMs) ?? withheldFrom(one),
  }))
  const unsent = judged.flatMap(({ one, withheld }) => (withheld === null ? [] : [parcel([one], withheld)]))
  const wanted = judged.flatMap(({ one, withheld }) => (withheld === null ? [one] : []))
  const groups = event ? wanted.map((one) => [one]) : [...Map.groupBy(wanted, (one) => one.subscriber_id).values()]
  return [...unsent, ...groups.map((deliveries) => parcel(deliveries, null))]
}
