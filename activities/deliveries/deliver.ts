import { hasMoreRecipients, notificationStep } from '../../src/domain/deliveries/notification-step.ts'
import { attemptRow, nextAfter, withoutAddress } from '../../src/domain/deliveries/rules.ts'
import { applyToSubscriber } from '../../src/domain/deliveries/subscriber-effects.ts'
import type { Services } from '../../src/domain/kernel/services.ts'
import { clockNotBehind, takeStep } from '../../src/domain/kernel/step.ts'
import type { Message, Outcome, Sender } from '../../src/domain/notifications/channels/channel.ts'
import { type ChannelName, channels } from '../../src/domain/notifications/channels/index.ts'
import { type DeliveryResult, saveResults } from '../../src/persistence/deliveries.ts'
import { inPageTransaction } from '../../src/persistence/transactions.ts'
import { groupCommit } from './group-commit.ts'
import { claimParcels, type DeliverRequest, lastsForAttempt, type Parcel, type Source, sourceOf } from './parcels.ts'
import { claimFound, type Search, startSearch } from './search.ts'
import { sendLanes } from './send-lanes.ts'
import type { Slots } from './slots.ts'

export interface Sending {
  services: Services
  slots: Slots
  senders: Record<ChannelName, Sender>
  signal: AbortSignal
}

interface Stored {
  results: DeliveryResult[]
  outcome: Outcome | null
  subscriberId: number | null
}

/** Sends all deliveries that are due, and finds the recipients that are left in the meantime. */
export async function deliverDue({ services: own, ...shared }: Sending, request: DeliverRequest): Promise<void> {
  const services = { ...own, clock: clockNotBehind(own, new Date(request.now)) }
  const source = await sourceOf(services, request)
  if (!source) return
  const search =
    source.event && source.event.expanded_to !== null ? searchFor(services, request, shared.signal) : noSearch
  const ends = await Promise.allSettled([sendAll({ ...shared, services }, request, source, search.part), search.done])
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

const noSearch: Search = { part: () => undefined, done: Promise.resolve() }

function searchFor(services: Services, { page_id: pageId, id }: DeliverRequest, signal: AbortSignal): Search {
  const process = { kind: 'notification', pageId, id } as const
  return startSearch(async () => hasMoreRecipients(await takeStep(services, notificationStep, process)), signal)
}

/** Each channel has a lane of its own. */
async function sendAll(sending: Sending, request: DeliverRequest, source: Source, part: Search['part']): Promise<void> {
  const { services } = sending
  const names = request.kind === 'digest' ? (['email'] as const) : (Object.keys(channels) as ChannelName[])
  const save = groupCommit<Stored>((stored) => saveAll(services, request.page_id, stored))
  await sendLanes<Parcel, Stored>(
    names.map((channel) => ({
      name: `${request.page_id}:${channel}`,
      slots: sending.slots,
      signal: sending.signal,
      claim: (most) => claimFound(() => claimParcels(services, source, channel, most), part),
      lasts: (parcel) => lastsForAttempt(parcel, services.clock()),
      addressOf: ({ deliveries }) => deliveries[0]!.address,
      send: (parcel) => sendParcel(sending, channel, parcel),
      save,
    })),
  )
}

async function sendParcel(
  { services, senders }: Sending,
  channel: ChannelName,
  { deliveries, message, withheld }: Parcel,
): Promise<Stored> {
  const started = services.clock()
  const from = performance.now()
  const sent = message ? await outcomeOf(services, senders[channel], message) : null
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

/** A message that cannot be written or sent for a reason of ours is tried again later, and delays no other message. */
async function outcomeOf({ logger }: Services, sender: Sender, message: Message): Promise<Outcome> {
  try {
    return await sender.send(message)
  } catch (error) {
    logger.error({ message_id: message.id, err: error }, 'a message could not be sent')
    return { result: 'later', answer: 'The message could not be written. The log has the details.' }
  }
}

async function saveAll(services: Services, pageId: number, stored: Stored[]): Promise<void> {
  services.reached('deliveries sent')
  const now = services.clock()
  const results = stored.flatMap((one) => one.results)
  // One statement without a transaction around it: its round trips would limit how much is sent.
  await saveResults(services.system.em.fork(), results, now)
  const effects = stored.filter(({ outcome }) => outcome?.result === 'refused' && outcome.subscriber)
  if (effects.length > 0) {
    await inPageTransaction(services.app, pageId, async (tx) => {
      for (const { outcome, subscriberId } of effects) await applyToSubscriber(tx, subscriberId, outcome, now)
    })
  }
  services.reached('outcomes saved')
}
