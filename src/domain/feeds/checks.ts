import type { EntityManager } from '@mikro-orm/postgresql'
import type { Feed } from '../../persistence/entities/feed.ts'
import { resolveItems } from '../hierarchy/references.ts'
import type { ItemRef } from '../hierarchy/schema.ts'
import { invalid } from '../kernel/errors.ts'
import { settingsOf } from '../settings/stored.ts'
import { languagesOf, requireKnown } from '../translations/languages.ts'
import { requireView } from '../views/references.ts'
import { allStages } from '../vocabulary/lookup.ts'
import type { FeedScope, FeedScopeRequest } from './schema.ts'

/** The scope of a request by ids. Refuses unknown items and views; items of the stored scope may have been deleted. */
export async function scopeIn(tx: EntityManager, scope: FeedScopeRequest, stored?: Feed): Promise<FeedScope> {
  if (scope.kind === 'items') return itemsIn(tx, scope, stored?.item_ids ?? [])
  if (scope.kind === 'view') return { kind: 'view', view_id: await viewIn(tx, scope, stored) }
  return scope
}

/** Refuses a language that the page neither offers nor supports, unless the stored feed has the language. */
export async function requireLocale(
  tx: EntityManager,
  locale: string | null | undefined,
  stored?: Feed,
): Promise<void> {
  if (!locale || locale === stored?.locale) return
  const { original, offered } = await languagesOf(tx)
  const { supported_locales } = await settingsOf(tx)
  requireKnown(locale, [...new Set([original, ...offered, ...supported_locales])], 'a language of this page')
}

type Of<K> = Extract<FeedScopeRequest, { kind: K }>

async function itemsIn(tx: EntityManager, scope: Of<'items'>, kept: number[]): Promise<FeedScope> {
  const { item_ids, items, include_descendants } = scope
  const idsOf = async (refs: ItemRef[], path: string) =>
    (await resolveItems(tx, refs, path, kept)).map((item) => item.id)
  if (item_ids)
    await idsOf(
      item_ids.map((id) => ({ id })),
      'scope.item_ids',
    )
  const named = items && (await idsOf(items, 'scope.items'))
  if (named && item_ids && new Set(named).symmetricDifference(new Set(item_ids)).size > 0) {
    throw invalid([{ path: 'scope.items', message: 'names other items than `item_ids`' }])
  }
  return { kind: 'items', item_ids: item_ids ?? named!, include_descendants }
}

async function viewIn(tx: EntityManager, { view_id, view }: Of<'view'>, stored: Feed | undefined): Promise<number> {
  if (view === undefined && view_id === stored?.view_id) return view_id!
  const path = view_id === undefined ? 'scope.view' : 'scope.view_id'
  const found = await requireView(tx, { view_id, view }, path)
  if (found.access_mode === 'public' || found.id === stored?.view_id) return found.id
  throw invalid([{ path, message: 'names a view for certain readers, and a feed is for everyone' }])
}

/** Refuses a lifecycle stage that the page does not have, unless the stored feed has the stage. */
export async function requireStages(tx: EntityManager, ids: number[], stored?: Feed): Promise<void> {
  const known = new Set([...(await allStages(tx)).map(({ id }) => id), ...(stored?.lifecycle_stage_ids ?? [])])
  const errors = ids.flatMap((id, index) =>
    known.has(id)
      ? []
      : [{ path: `lifecycle_stage_ids.${index}`, message: `${id} is not a lifecycle stage of this page` }],
  )
  if (errors.length > 0) throw invalid(errors)
}
