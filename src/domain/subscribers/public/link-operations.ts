import { z } from 'zod'
import type { Subscriber } from '../../../persistence/entities/subscriber.ts'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { trackRevision } from '../../kernel/revise.ts'
import { move } from '../bounces.ts'
import { linkProblem } from '../link-problems.ts'
import type { Purpose } from '../link-rules.ts'
import { linksFor } from '../links.ts'
import { restoredState } from '../rules.ts'
import { presentLinked, requireNewestConfirmation, linkedSubscriber as subject } from './linked-subscriber.ts'
import { LinkDone, LinkResource } from './schema.ts'

const common = { area: 'audience', permission: 'link', affectsPage: false, subject, input: z.strictObject({}) } as const

function show(link: Purpose, summary: string, check: (ctx: Context, subscriber: Subscriber) => void = () => {}) {
  return operation({
    ...{ ...common, link, summary, changes: false },
    name: `subscriptions.${link}.get`,
    description: 'Changes nothing: programs that look for malware open the links of mails.',
    output: LinkResource,
    run: async (ctx, _input, subscriber) => {
      check(ctx, subscriber)
      return presentLinked(ctx, subscriber)
    },
  })
}

export const getConfirmation = show('confirm', 'Show what a link would confirm', requireNewestConfirmation)
export const getUnsubscription = show('unsubscribe', 'Show what a link would unsubscribe')

export const confirmSubscription = operation({
  ...common,
  link: 'confirm',
  name: 'subscriptions.confirm',
  summary: 'Confirm a subscription',
  description:
    'The link works for seven days, and may be used again. Only the answer that confirms leads to the preferences: later, a link comes by mail.',
  output: LinkDone,
  run: async (ctx, _input, subscriber) => {
    requireNewestConfirmation(ctx, subscriber)
    if (subscriber.state === 'suppressed' || subscriber.state === 'disabled') {
      throw linkProblem('switched_off')
    }
    const revise = trackRevision(ctx, subject, subscriber)
    const confirms = subscriber.state !== 'active'
    if (confirms) subscriber.confirmed_at = ctx.now
    move(subscriber, 'confirm')
    revise()
    const { manage } = linksFor(ctx.services, ctx.page, subscriber, ctx.now)
    const answer = { message: 'You are subscribed.', ...presentLinked(ctx, subscriber) }
    return confirms ? { ...answer, manage_url: manage } : answer
  },
})

export const unsubscribe = operation({
  ...common,
  link: 'unsubscribe',
  name: 'subscriptions.unsubscribe',
  summary: 'Unsubscribe an address',
  description:
    'One POST as in RFC 8058, with any body: no login, no redirect, and the same answer if it is repeated. The link does not expire.',
  output: LinkDone,
  run: async (ctx, _input, subscriber) => {
    const revise = trackRevision(ctx, subject, subscriber)
    // A suppressed subscriber stays suppressed, and is unsubscribed once it is restored.
    const decided = subscriber.state === 'suppressed' ? restoredState(subscriber) : subscriber.state
    if (decided !== 'unsubscribed') subscriber.unsubscribed_at = ctx.now
    move(subscriber, 'unsubscribe')
    revise()
    return { message: 'You are unsubscribed.', ...presentLinked(ctx, subscriber) }
  },
})
