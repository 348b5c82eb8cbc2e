import { z } from 'zod'
import { componentRows } from '../../../persistence/components.ts'
import type { Subscriber } from '../../../persistence/entities/subscriber.ts'
import { assignDefined } from '../../kernel/assign.ts'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { trackRevision } from '../../kernel/revise.ts'
import { publicKeys } from '../../notifications/keys.ts'
import { readingIn } from '../../translations/languages.ts'
import { wordsFor } from '../../translations/read.ts'
import { linksFor } from '../links.ts'
import { moveDigests } from '../move-digests.ts'
import { inTreeOrder } from './item-rules.ts'
import { presentLinked, linkedSubscriber as subject } from './linked-subscriber.ts'
import { localesForMails, requireLocaleForMails } from './locales.ts'
import { ownOf, replaceOwn } from './own-subscriptions.ts'
import { OwnPreferences, OwnPreferencesDone, OwnPreferencesRequest } from './schema.ts'

const common = { area: 'audience', permission: 'link', link: 'manage', affectsPage: false, subject } as const

export const getOwnPreferences = operation({
  ...common,
  name: 'subscriptions.manage.get',
  changes: false,
  summary: 'Show the preferences of a subscriber',
  description: 'The link works for 30 minutes.',
  input: z.strictObject({}),
  output: OwnPreferences,
  run: async (ctx, _input, subscriber) => present(ctx, subscriber),
})

export const putOwnPreferences = operation({
  ...common,
  name: 'subscriptions.manage',
  summary: 'Change the preferences of a subscriber',
  description:
    'A list of subscriptions replaces the list of the subscriber. An absent field stays as it is. A browser may send the form of the page instead.',
  input: OwnPreferencesRequest,
  output: OwnPreferencesDone,
  run: async (ctx, { subscriptions: asked, locale, time_zone, frequency }, subscriber) => {
    await requireLocaleForMails(ctx.tx, locale, subscriber.locale)
    const revise = trackRevision(ctx, subject, subscriber)
    if (asked) await replaceOwn(ctx, subscriber, asked)
    const before = { ...subscriber }
    assignDefined(subscriber, { locale, time_zone, frequency })
    revise()
    await moveDigests(ctx, before, subscriber)
    return { message: 'Your preferences are saved.', ...(await present(ctx, subscriber)) }
  },
})

async function present(ctx: Context, subscriber: Subscriber) {
  const items = await componentRows(ctx.tx)
  const words = await wordsFor(ctx.tx, await readingIn(ctx.tx, subscriber.locale ?? undefined), { item: items })
  return {
    ...presentLinked(ctx, subscriber),
    subscriptions: await ownOf(ctx, subscriber),
    choices: {
      items: inTreeOrder(items).map(({ id, name, depth }) => ({ id, name: words('item', id).name ?? name, depth })),
      locales: [...new Set([...(await localesForMails(ctx.tx)), ...(subscriber.locale ? [subscriber.locale] : [])])],
      event_kinds: [...publicKeys],
    },
    unsubscribe_url: linksFor(ctx.services, ctx.page, subscriber, ctx.now).unsubscribe,
  }
}
