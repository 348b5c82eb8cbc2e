import { LockMode } from '@mikro-orm/postgresql'
import { Subscriber } from '../../../persistence/entities/subscriber.ts'
import { resolveItems } from '../../hierarchy/references.ts'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { trackRevision } from '../../kernel/revise.ts'
import { message } from '../../kernel/schema.ts'
import { requireView } from '../../views/references.ts'
import { askForConfirmation } from '../confirmation.ts'
import { makeSubscriber, normalized } from '../new-subscriber.ts'
import type { PreferenceInput } from '../schema.ts'
import { subscriberSubject } from '../subject.ts'
import { askForLink } from './ask-for-link.ts'
import { requireLocaleForMails } from './locales.ts'
import { replaceOwn } from './own-subscriptions.ts'
import { ManageLinkRequest, SubscribeRequest } from './schema.ts'

const common = {
  area: 'audience',
  permission: 'public',
  changes: true,
  affectsPage: false,
  makes: 'subscriber',
} as const

/** The same answer for every address: an answer must not give away who is subscribed. */
const answer = { message: 'If this address can be subscribed, a mail with a link is on its way.' }

const find = ({ tx }: Context, email: string) =>
  tx.findOne(
    Subscriber,
    { channel: 'email', address: normalized('email', email) },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )

export const subscribe = operation({
  ...common,
  name: 'subscriptions.create',
  summary: 'Subscribe an email address',
  description:
    'The answer is the same for every address. A new address gets a mail with a link, and is active once the person confirms there. An address that is subscribed already gets a link to its preferences, at most one in ten minutes.',
  input: SubscribeRequest,
  output: message,
  run: async (ctx, { email, locale = null, subscriptions: asked }) => {
    // Looked at for every address, so that a wrong request is answered alike.
    await requireLocaleForMails(ctx.tx, locale)
    await requireItems(ctx, asked ?? [])
    const known = await find(ctx, email)
    if (!known) {
      const fields = { channel: 'email', address: email, source: 'public', frequency: 'immediate' } as const
      const { subscriber } = await makeSubscriber(ctx, {
        ...{ ...fields, confirmed: false, locale, time_zone: null },
        subscriptions: asked?.map((one) => ({ ...one, internal: false })),
      })
      ctx.made = subscriber.id
      askForConfirmation(ctx, subscriber)
      return answer
    }
    const revise = trackRevision(ctx, subscriberSubject, known)
    // Until its owner confirms, the address has the preferences of the last request.
    if (known.state === 'pending' || known.state === 'unsubscribed') {
      if (asked) await replaceOwn(ctx, known, asked)
      if (locale) known.locale = locale
    }
    ctx.made = known.id
    if (revise()) ctx.revised()
    await askForLink(ctx, known)
    return answer
  },
})

async function requireItems({ tx, now }: Context, subscriptions: Pick<PreferenceInput, 'scope'>[]): Promise<void> {
  for (const [index, { scope }] of subscriptions.entries()) {
    if (scope.kind === 'items') await resolveItems(tx, scope.items, `subscriptions.${index}.scope.items`)
    if (scope.kind === 'view') await requireView(tx, scope, `subscriptions.${index}.scope`, now)
  }
}

export const requestManageLink = operation({
  ...common,
  name: 'subscriptions.manage_link',
  summary: 'Send a link by which a subscriber changes preferences',
  description: 'The answer is the same for every address. The link works for 30 minutes.',
  input: ManageLinkRequest,
  output: message,
  run: async (ctx, { email }) => {
    const known = await find(ctx, email)
    ctx.existing()
    if (known) await askForLink(ctx, known)
    return answer
  },
})
