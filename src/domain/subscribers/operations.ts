import { z } from 'zod'
import { Subscriber } from '../../persistence/entities/subscriber.ts'
import { Subscription } from '../../persistence/entities/subscription.ts'
import { forgetAddress } from '../../persistence/forgotten-records.ts'
import { assignDefined } from '../kernel/assign.ts'
import type { Context } from '../kernel/context.ts'
import { invalid, Problem } from '../kernel/errors.ts'
import { newestFirst } from '../kernel/newest-first.ts'
import { operation } from '../kernel/operation.ts'
import { listOf } from '../kernel/paging.ts'
import { mayDo } from '../kernel/permissions.ts'
import { trackRevision } from '../kernel/revise.ts'
import { message, versionToDelete } from '../kernel/schema.ts'
import { forbiddenUrl } from '../notifications/forbidden-url.ts'
import { askForConfirmation } from './confirmation.ts'
import { moveDigests } from './move-digests.ts'
import { makeSubscriber, normalized } from './new-subscriber.ts'
import { replacePreferences } from './preferences.ts'
import { areSame, presentCompact, presentSubscriber, presentSubscriptions } from './presenter.ts'
import {
  PreferencesRequest,
  SubscriberCreateRequest,
  SubscriberListRequest,
  SubscriberResource,
  SubscriberUpdateRequest,
  SubscriberWithSecret,
  SubscriptionResource,
} from './schema.ts'
import { subscriberSubject as subject } from './subject.ts'
import { forgetSecrets, issueSecret } from './webhook-secret.ts'

const area = 'audience' as const

export const listSubscribers = operation({
  name: 'subscribers.list',
  area,
  permission: 'read',
  summary: 'List subscribers, newest first',
  description: 'Full records and the search have addresses of people, and need admin permission.',
  input: SubscriberListRequest,
  output: listOf('subscribers', SubscriberResource),
  run: async ({ tx, actor }, { view, channel, state, search, ...asked }) => {
    const isAdmin = actor.kind !== 'anonymous' && mayDo(actor, area, 'admin')
    if (!isAdmin && (view === 'full' || search !== undefined)) {
      throw new Problem('forbidden', 'Addresses of subscribers need admin permission in the area audience.')
    }
    const only = {
      ...(channel === undefined ? {} : { channel }),
      ...(state === undefined ? {} : { state }),
      ...(search === undefined ? {} : { address: { $like: `%${escaped(search.toLowerCase())}%` } }),
    }
    const { rows, ...found } = await newestFirst(tx, Subscriber, asked, only)
    return { subscribers: rows.map(view === 'full' ? presentSubscriber : presentCompact), ...found }
  },
})

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')

export const getSubscriber = operation({
  name: 'subscribers.get',
  area,
  permission: 'admin',
  changes: false,
  summary: 'Get a subscriber',
  subject,
  input: z.strictObject({}),
  output: SubscriberResource,
  run: async (_ctx, _input, subscriber) => presentSubscriber(subscriber),
})

export const createSubscriber = operation({
  name: 'subscribers.create',
  makes: 'subscriber',
  area,
  permission: 'admin',
  affectsPage: false,
  summary: 'Create a subscriber',
  description:
    'An email address gets a confirmation mail and is active once the person confirms, unless `confirmed` states that the person has agreed. A webhook is active at once, and only the answer shows its `secret`. An address that the page has already is a 409.',
  input: SubscriberCreateRequest,
  output: SubscriberWithSecret,
  run: async (ctx, input) => {
    const { channel, confirmed, subscriptions, locale = null, time_zone = null, frequency = 'immediate' } = input
    const address = addressIn(ctx, input)
    const known = await ctx.tx.findOne(Subscriber, { channel, address: normalized(channel, address) })
    if (known) throw new Problem('conflict', `The subscriber ${known.id} has this address already.`)
    const preferences = { locale, time_zone, frequency, subscriptions }
    const { subscriber } = await makeSubscriber(ctx, { channel, address, source: 'admin', confirmed, ...preferences })
    if (channel === 'webhook') return { ...presentSubscriber(subscriber), secret: await issueSecret(ctx, subscriber) }
    if (subscriber.state === 'pending') askForConfirmation(ctx, subscriber)
    return presentSubscriber(subscriber)
  },
})

/** The address of the channel; the address of the other channel is refused. */
function addressIn(
  { services }: Context,
  { channel, email, url, frequency }: z.output<typeof SubscriberCreateRequest>,
): string {
  const [wanted, other] = channel === 'email' ? (['email', 'url'] as const) : (['url', 'email'] as const)
  const address = { email, url }
  if (address[wanted] === undefined)
    throw invalid([{ path: wanted, message: `is required for the channel ${channel}` }])
  if (address[other] !== undefined)
    throw invalid([{ path: other, message: `is not a field of the channel ${channel}` }])
  if (channel === 'webhook' && frequency === 'daily') {
    throw invalid([{ path: 'frequency', message: 'must be `immediate` for a webhook' }])
  }
  const forbidden = channel === 'webhook' ? forbiddenUrl(address[wanted], services) : null
  if (forbidden) throw invalid([{ path: 'url', message: forbidden }])
  return address[wanted]
}

export const updateSubscriber = operation({
  name: 'subscribers.update',
  area,
  permission: 'admin',
  affectsPage: false,
  summary: 'Change the language, the time zone or the frequency of a subscriber',
  description: 'The address stays: another address is another subscriber.',
  subject,
  input: SubscriberUpdateRequest,
  output: SubscriberResource,
  run: async (ctx, { locale, time_zone, frequency }, subscriber) => {
    if (subscriber.channel === 'webhook' && frequency === 'daily') {
      throw invalid([{ path: 'frequency', message: 'must be `immediate` for a webhook' }])
    }
    const revise = trackRevision(ctx, subject, subscriber)
    const before = { ...subscriber }
    assignDefined(subscriber, { locale, time_zone, frequency })
    revise()
    await moveDigests(ctx, before, subscriber)
    return presentSubscriber(subscriber)
  },
})

export const deleteSubscriber = operation({
  name: 'subscribers.delete',
  area,
  permission: 'admin',
  affectsPage: false,
  summary: 'Delete a subscriber with its subscriptions',
  description:
    'Deliveries to the subscriber stay without its address. A deleted address may subscribe again. To keep an address from mails, suppress it.',
  subject,
  input: z.strictObject(versionToDelete()),
  output: message,
  run: async (ctx, _input, subscriber) => {
    await forgetSecrets(ctx, subscriber)
    await forgetAddress(ctx.tx, subscriber)
    ctx.tx.remove(subscriber)
    return { message: `The subscriber ${subscriber.id} is deleted.` }
  },
})

const subscriptionsOf = (ctx: Context, { id }: Subscriber) =>
  ctx.tx.find(Subscription, { subscriber_id: id }, { orderBy: { id: 'asc' } })

export const getPreferences = operation({
  name: 'subscribers.preferences.get',
  area,
  permission: 'admin',
  changes: false,
  summary: 'Get what a subscriber is informed of',
  subject,
  input: z.strictObject({}),
  output: z.strictObject({ subscriber: SubscriberResource, subscriptions: z.array(SubscriptionResource) }),
  run: async (ctx, _input, subscriber) => ({
    subscriber: presentSubscriber(subscriber),
    subscriptions: await presentSubscriptions(ctx, await subscriptionsOf(ctx, subscriber)),
  }),
})

export const putPreferences = operation({
  name: 'subscribers.preferences.put',
  area,
  permission: 'admin',
  affectsPage: false,
  summary: 'Replace what a subscriber is informed of',
  description: 'The list replaces the subscriptions. An input with the `id` of a subscription keeps its record.',
  subject,
  input: PreferencesRequest,
  output: z.strictObject({ message: z.string(), subscriptions: z.array(SubscriptionResource) }),
  run: async (ctx, { subscriptions: inputs }, subscriber) => {
    const before = await presentSubscriptions(ctx, await subscriptionsOf(ctx, subscriber))
    const after = await presentSubscriptions(ctx, await replacePreferences(ctx, subscriber, inputs, 'admin'))
    if (areSame(before, after)) {
      ctx.existing()
    } else {
      ctx.auditExtras.before.subscriptions = before
      ctx.auditExtras.after.subscriptions = after
      subscriber.version += 1
      subscriber.updated_at = ctx.now
    }
    const count = after.length === 1 ? '1 subscription' : `${after.length} subscriptions`
    return { message: `The subscriber ${subscriber.id} has ${count}.`, subscriptions: after }
  },
})
