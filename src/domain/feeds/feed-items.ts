import { CustomView } from '../../persistence/entities/custom-view.ts'
import type { Feed } from '../../persistence/entities/feed.ts'
import type { Context } from '../kernel/context.ts'
import { notFound } from '../kernel/errors.ts'
import { scopedItems } from '../readers/scope.ts'
import { itemsOfView } from '../views/items.ts'
import { isOffered } from '../views/rules.ts'

/** The items of a feed that readers get; null for the whole page. */
export async function itemsOfFeed({ tx, now }: Context, feed: Feed): Promise<ReadonlySet<number> | null> {
  const { scope_kind, item_ids, include_descendants, view_id } = feed
  if (scope_kind === 'page') return null
  if (scope_kind === 'items') return scopedItems(tx, item_ids, include_descendants)
  const view = await tx.findOne(CustomView, { id: view_id! })
  // Programs cannot prove an email address.
  if (!view || !isOffered(view, now) || view.access_mode !== 'public') throw notFound('feed')
  return itemsOfView(tx, view)
}
