import type { Subscriber } from '../../../persistence/entities/subscriber.ts'
import { Subscription } from '../../../persistence/entities/subscription.ts'
import type { Context } from '../../kernel/context.ts'
import { replacePreferences } from '../preferences.ts'
import { areSame, presentSubscriptions } from '../presenter.ts'
import type { PreferenceInput } from '../schema.ts'

/** Replaces what a person asked for, with the difference in the audit row. */
export async function replaceOwn(
  ctx: Context,
  subscriber: Subscriber,
  asked: Omit<PreferenceInput, 'internal'>[],
): Promise<void> {
  const before = await ownOf(ctx, subscriber)
  const inputs = asked.map((one) => ({ ...one, internal: false }))
  await replacePreferences(ctx, subscriber, inputs, 'public')
  const after = await ownOf(ctx, subscriber)
  if (areSame(before, after)) return
  ctx.auditExtras.before.subscriptions = before
  ctx.auditExtras.after.subscriptions = after
}

/** The subscriptions that a subscriber sees: not what an admin made for internal events. */
export async function ownOf(ctx: Context, { id }: Subscriber) {
  const own = { subscriber_id: id, internal: false }
  return presentSubscriptions(ctx, await ctx.tx.find(Subscription, own, { orderBy: { id: 'asc' } }))
}
