import type { EntityManager } from '@mikro-orm/postgresql'
import { CustomView } from '../../persistence/entities/custom-view.ts'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import type { Subscriber } from '../../persistence/entities/subscriber.ts'
import type { Subscription } from '../../persistence/entities/subscription.ts'
import { pathsOf, presentItemSummary } from '../hierarchy/presenter.ts'
import { canonical } from '../kernel/canonical.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { iso } from '../tokens/presenter.ts'
import { addressOf } from './subject.ts'

export const presentCompact = ({ id, channel, state, created_at }: Subscriber) => ({
  ...{ id, channel, state },
  created_at: created_at.toISOString(),
})

export const presentSubscriber = (subscriber: Subscriber) => ({
  ...presentCompact(subscriber),
  ...addressOf(subscriber),
  locale: subscriber.locale,
  time_zone: subscriber.time_zone,
  frequency: subscriber.frequency,
  source: subscriber.source,
  confirmed_at: iso(subscriber.confirmed_at),
  unsubscribed_at: iso(subscriber.unsubscribed_at),
  suppressed_at: iso(subscriber.suppressed_at),
  suppression_reason: subscriber.suppression_reason ?? undefined,
  bounce_count: subscriber.bounce_count,
  previous_secret_until: iso(subscriber.previous_secret_until),
  version: subscriber.version,
  updated_at: subscriber.updated_at.toISOString(),
})

/** Items that were deleted leave the scope. */
export async function presentSubscriptions({ tx }: Pick<WorkContext, 'tx'>, subscriptions: Subscription[]) {
  const ids = [...new Set(subscriptions.flatMap(({ items }) => items))]
  const found = ids.length === 0 ? [] : await tx.find(HierarchyItem, { id: ids })
  const path = await pathsOf(tx, found)
  const views = new Map((await viewsOf(tx, subscriptions)).map((view) => [view.id, view]))
  const itemOf = new Map(found.map((item) => [item.id, presentItemSummary(item, path)]))
  return subscriptions.map((one) => ({
    id: one.id,
    scope: {
      kind: one.scope_kind,
      ...(one.scope_kind === 'items' ? { items: one.items.flatMap((id) => itemOf.get(id) ?? []) } : {}),
      ...(one.view_id === null ? {} : presentView(views.get(one.view_id)!)),
    },
    event_kinds: one.event_kinds,
    internal: one.internal,
    enabled: one.enabled,
    created_at: one.created_at.toISOString(),
    updated_at: one.updated_at.toISOString(),
  }))
}

const viewsOf = async (tx: EntityManager, subscriptions: Subscription[]): Promise<CustomView[]> => {
  const ids = subscriptions.flatMap(({ view_id }) => view_id ?? [])
  return ids.length === 0 ? [] : tx.find(CustomView, { id: ids })
}

const presentView = ({ id, alias, short_code, name }: CustomView) => ({
  ...{ view_id: id, code: alias ?? short_code, view: alias ?? short_code, name },
})

type Presented = Awaited<ReturnType<typeof presentSubscriptions>>

/** Whether a client sees no difference between the subscriptions, besides their times. */
export const areSame = (before: Presented, after: Presented): boolean =>
  canonical(before.map(withoutTimes)) === canonical(after.map(withoutTimes))

const withoutTimes = ({ created_at: _created, updated_at: _updated, ...rest }: Presented[number]) => rest
