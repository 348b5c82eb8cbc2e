import type { EntityManager } from '@mikro-orm/postgresql'
import { isPublicEvent } from '../../src/domain/deliveries/audience-rules.ts'
import { messageFor } from '../../src/domain/deliveries/message.ts'
import { attemptRow, nextAfter, withheldBecause, withoutAddress } from '../../src/domain/deliveries/rules.ts'
import { applyToSubscriber } from '../../src/domain/deliveries/subscriber-effects.ts'
import type { PageRef } from '../../src/domain/kernel/context.ts'
import type { Services } from '../../src/domain/kernel/services.ts'
import { clockNotBehind } from '../../src/domain/kernel/step.ts'
import type { Message, Outcome, Sender } from '../../src/domain/notifications/channels/channel.ts'
import { type ChannelName, channels } from '../../src/domain/notifications/channels/index.ts'
import { settingsOf } from '../../src/domain/settings/stored.ts'
import { signingSecretsOf } from '../../src/domain/subscribers/webhook-secret.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  claimDigests,
  type DeliveryResult,
  saveResults,
} from '../../src/persistence/deliveries.ts'
import { NotificationEvent } from '../../src/persistence/entities/notification-event.ts'
import { inPageTransaction } from '../../src/persistence/page-transaction.ts'
import { pageById } from '../../src/persistence/system/directory.ts'
import type { Deliveries } from '../../workflows/contract.ts'
import { groupCommit } from './group-commit.ts'
import { sendLane } from './send-lane.ts'
import type { Slots } from './slots.ts'

/** A delivery of a worker that died is tried again after this time. */
const CLAIM_MS = 30_000
/** A claim with less time left may end before the attempt, which takes at most 15 s. */
const ATTEMPT_MS = 17_000
const MOST_IN_DIGEST = 200

type Request = Parameters<Deliveries['deliver']>[0]

export interface Sending {
  services: Services
  slots: Slots
  senders: Record<ChannelName, Sender>
  signal: AbortSignal
}

/** A message with the deliveries that it fulfils: one, or all that are part of a daily mail. */
interface Parcel {
  deliveries: ClaimedDelivery[]
  message: Message | null
  /** Why the message is not sent. */
  withheld: string | null
  claimedUntil: Date
}

interface Stored {
  results: DeliveryResult[]
  outcome: Outcome | null
  subscriberId: number | null
}

/** Sends all deliveries that are due, each channel in its own lane. */
export async function deliverDue({ services: own, ...shared }: Sending, request: Request): Promise<void> {
  const services = { ...own, clock: clockNotBehind(own, new Date(request.now)) }
  const sending = { ...shared, services }
  const source = await sourceOf(services, request)
  if (!source) return
  const names = request.kind === 'digest' ? (['email'] as const) : (Object.keys(channels) as ChannelName[])
  const save = groupCommit<Stored>((stored) => saveAll(services, request.page_id, stored))
  const lanes = await Promise.allSettled(
    names.map((channel) =>
      sendLane<Parcel>({
        name: `${request.page_id}:${channel}`,
        slots: sending.slots,
        signal: sending.signal,
        claim: (most) => claimParcels(services, source, channel, most),
        lasts: ({ claimedUntil }) => claimedUntil.getTime() - services.clock().getTime() > ATTEMPT_MS,
        addressOf: ({ deliveries }) => deliveries[0]!.address,
        send: async (parcel) => save(await sendParcel(sending, channel, parcel)),
      }),
    ),
  )
  for (const lane of lanes) if (lane.status === 'rejected') throw lane.reason
}

/** What all messages of an errand have in common. Read once: the content of a notification does not change. */
interface Source {
  page: PageRef
  /** Null for daily mails, whose notifications differ. */
  event: NotificationEvent | null
}

async function sourceOf(services: Services, { page_id, id, kind }: Request): Promise<Source | null> {
  const page = await pageById(services.system, page_id)
  if (kind === 'digest') return { page, event: null }
  const event = await inPageTransaction(services.app, page_id, (tx) => tx.findOne(NotificationEvent, { id }))
  return event?.content ? { page, event } : null
}

async function claimParcels(
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
  const writing = { services, page, settings, now, secrets }
  const ids = [...new Set(claimed.map((one) => one.notification_id))]
  const events = event ? [event] : await tx.find(NotificationEvent, { id: { $in: ids } }, { orderBy: { id: 'asc' } })
  const parcel = (deliveries: ClaimedDelivery[], withheld: string | null): Parcel => {
    const own = events.filter((one) => deliveries.some(({ notification_id }) => notification_id === one.id))
    const message = withheld === null ? messageFor(writing, deliveries[0]!, own) : null
    return { deliveries, withheld, claimedUntil: until, message }
  }
  const judged = claimed.map((one) => ({
    one,
    withheld: withheldBecause(one, event?.key ?? '', now, services.maxAgeMs),
  }))
  const unsent = judged.flatMap(({ one, withheld }) => (withheld === null ? [] : [parcel([one], withheld)]))
  const wanted = judged.flatMap(({ one, withheld }) => (withheld === null ? [one] : []))
  const groups = event ? wanted.map((one) => [one]) : [...Map.groupBy(wanted, (one) => one.subscriber_id).values()]
  return [...unsent, ...groups.map((deliveries) => parcel(deliveries, null))]
}

async function sendParcel(
  { services, senders }: Sending,
  channel: ChannelName,
  { deliveries, message, withheld }: Parcel,
): Promise<Stored> {
  const started = services.clock()
  const from = performance.now()
  const sent = message ? await senders[channel].send(message) : null
  const outcome = sent && { ...sent, answer: withoutAddress(sent.answer, deliveries[0]!.address) }
  const tried = outcome !== null && outcome.result !== 'withheld'
  const attempt = tried ? attemptRow(outcome, started, performance.now() - from) : null
  const seen = outcome ?? { result: 'withheld' as const, reason: withheld ?? 'withheld' }
  const results = deliveries.map(({ id, tried: before }): DeliveryResult => {
    const next = nextAfter(seen, before, channels[channel].delays, services.clock())
    return { id, tried: before, attempt, ...next, next_attempt_at: next.next_attempt_at?.toISOString() ?? null }
  })
  return { results, outcome, subscriberId: deliveries[0]!.subscriber_id }
}

async function saveAll(services: Services, pageId: number, stored: Stored[]): Promise<void> {
  services.reached('deliveries sent')
  const now = services.clock()
  const results = stored.flatMap((one) => one.results)
  // One statement without a transaction around it: its round trips would limit how much is sent.
  await saveResults(services.system.em.fork(), pageId, results, now)
  const effects = stored.filter(({ outcome }) => outcome?.result === 'refused' && outcome.subscriber)
  if (effects.length > 0) {
    await inPageTransaction(services.app, pageId, async (tx) => {
      for (const { outcome, subscriberId } of effects) await applyToSubscriber(tx, subscriberId, outcome, now)
    })
  }
  services.reached('outcomes saved')
}
