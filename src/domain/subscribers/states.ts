import { Subscriber } from '../../persistence/entities/subscriber.ts'
import type { Context } from '../kernel/context.ts'
import { notFound, Problem } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { trackRevision } from '../kernel/revise.ts'
import { countBounce, move, suppress } from './bounces.ts'
import { presentSubscriber } from './presenter.ts'
import { LONGEST_PAUSE_DAYS, MOST_SOFT_BOUNCES, restoredState } from './rules.ts'
import { BounceRequest, SubscriberResource, SubscriberWithSecret, SuppressRequest, VersionRequest } from './schema.ts'
import { subscriberSubject as subject } from './subject.ts'
import { rotateSecret } from './webhook-secret.ts'

const common = { area: 'audience', permission: 'admin', affectsPage: false } as const

function changed(ctx: Context, subscriber: Subscriber, work: () => void) {
  const revise = trackRevision(ctx, subject, subscriber)
  work()
  revise()
  return presentSubscriber(subscriber)
}

export const suppressSubscriber = operation({
  ...common,
  name: 'subscribers.suppress',
  summary: 'Suppress a subscriber: nothing is sent to the address',
  description: 'A suppressed address cannot subscribe again until it is restored.',
  subject,
  input: SuppressRequest,
  output: SubscriberResource,
  run: async (ctx, { reason }, subscriber) =>
    changed(ctx, subscriber, () => suppress(subscriber, ctx.now, reason ?? `Suppressed by "${ctx.actor.name}".`)),
})

export const restoreSubscriber = operation({
  ...common,
  name: 'subscribers.restore',
  summary: 'Restore a suppressed subscriber',
  description:
    'The subscriber is again what it decided itself: active if it has confirmed, pending if not, unsubscribed if it has unsubscribed.',
  subject,
  input: VersionRequest,
  output: SubscriberResource,
  run: async (ctx, _input, subscriber) =>
    changed(ctx, subscriber, () => {
      if (subscriber.state !== 'suppressed') return
      subscriber.state = restoredState(subscriber)
      Object.assign(subscriber, { suppressed_at: null, suppression_reason: null, bounce_count: 0, bounced_at: null })
    }),
})

export const enableSubscriber = operation({
  ...common,
  name: 'subscribers.enable',
  summary: 'Enable a disabled subscriber',
  description: 'A webhook that answered 410 is disabled.',
  subject,
  input: VersionRequest,
  output: SubscriberResource,
  run: async (ctx, _input, subscriber) => changed(ctx, subscriber, () => void move(subscriber, 'enable')),
})

export const rotateSubscriberSecret = operation({
  ...common,
  name: 'subscribers.rotate_secret',
  summary: 'Give a webhook a new secret, which only the answer shows',
  description:
    'For 24 hours messages are signed with both secrets. Another rotation within that time ends the older secret at once.',
  subject,
  input: VersionRequest,
  output: SubscriberWithSecret,
  run: async (ctx, _input, subscriber) => {
    if (subscriber.channel !== 'webhook') throw new Problem('conflict', 'Only a webhook has a secret.')
    const secret = await rotateSecret(ctx, subscriber)
    subscriber.version += 1
    subscriber.updated_at = ctx.now
    return { ...presentSubscriber(subscriber), secret }
  },
})

export const recordBounce = operation({
  ...common,
  name: 'subscribers.bounces',
  makes: 'subscriber',
  summary: 'Record a bounce or a complaint of an address',
  description: `A hard bounce and a complaint suppress the address, and so do ${MOST_SOFT_BOUNCES} soft bounces in a row. A bounce more than ${LONGEST_PAUSE_DAYS} days after the last one begins a new row; a mail that was accepted meanwhile ends no row. A bounce of an address that is suppressed already changes nothing.`,
  input: BounceRequest,
  output: SubscriberResource,
  run: async (ctx, { email, kind, reason }) => {
    const found = await ctx.tx.findOne(Subscriber, { channel: 'email', address: email.trim().toLowerCase() })
    if (!found) throw notFound('subscriber')
    const subscriber = (await subject.find(ctx, { id: found.id }, { lock: true }))!
    const revise = trackRevision(ctx, subject, subscriber)
    countBounce(subscriber, kind, ctx.now, reason)
    if (revise()) ctx.revised()
    return presentSubscriber(subscriber)
  },
})
