import { Subscriber } from '../../persistence/entities/subscriber.ts'
import type { Subscription } from '../../persistence/entities/subscription.ts'
import { insertRow } from '../../persistence/rows.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { replacePreferences } from './preferences.ts'
import type { PreferenceInput } from './schema.ts'

interface New extends Pick<Subscriber, 'channel' | 'source' | 'locale' | 'time_zone' | 'frequency'> {
  address: string
  confirmed: boolean
  subscriptions?: PreferenceInput[] | undefined
}

const wholePage: PreferenceInput = { scope: { kind: 'page' }, internal: false, enabled: true }

/** Addresses are compared in lower case; a URL as its parser writes it, without its fragment, which is never sent. */
export function normalized(channel: Subscriber['channel'], address: string): string {
  if (channel === 'email') return address.trim().toLowerCase()
  const url = new URL(address)
  url.hash = ''
  return url.href
}

/** Stores a new subscriber with its subscriptions. A webhook belongs to an admin and needs no confirmation. */
export async function makeSubscriber(
  ctx: WorkContext,
  { address, confirmed, subscriptions, ...fields }: New,
): Promise<{ subscriber: Subscriber; subscriptions: Subscription[] }> {
  const { tx } = ctx
  const { id } = await insertRow(tx, Subscriber, newRow(ctx, { ...fields, address, confirmed }))
  const subscriber = await tx.findOneOrFail(Subscriber, { id })
  const by = fields.source === 'public' ? 'public' : 'admin'
  return { subscriber, subscriptions: await replacePreferences(ctx, subscriber, subscriptions ?? [wholePage], by) }
}

/** The columns of a new subscriber, without its id. */
export function newRow({ now, pageId }: WorkContext, { address, confirmed, ...fields }: Omit<New, 'subscriptions'>) {
  const isActive = confirmed || fields.channel === 'webhook'
  return {
    ...fields,
    page_id: pageId,
    address: normalized(fields.channel, address),
    shown_address: address.trim(),
    state: isActive ? ('active' as const) : ('pending' as const),
    confirmed_at: isActive ? now : null,
    unsubscribed_at: null,
    suppressed_at: null,
    suppression_reason: null,
    bounce_count: 0,
    bounced_at: null,
    confirmation_number: 0,
    confirmation_sent_at: null,
    previous_secret_until: null,
    version: 1,
    created_at: now,
    updated_at: now,
  }
}
