import type { EntityManager } from '@mikro-orm/postgresql'
import { CustomView } from '../../persistence/entities/custom-view.ts'
import type { Feed } from '../../persistence/entities/feed.ts'
import { resolveItems } from '../hierarchy/references.ts'
import { invalid } from '../kernel/errors.ts'
import { allStages } from '../vocabulary/lookup.ts'
import type { FeedScope } from './schema.ts'

/** Refuses a scope that names no item or no view of the page. Items of the stored scope may have been deleted. */
export async function requireScope(tx: EntityManager, scope: FeedScope, stored?: Feed): Promise<void> {
  if (scope.kind === 'items') {
    const kept = stored?.item_ids ?? []
    const refs = scope.item_ids.map((id) => ({ id }))
    await resolveItems(tx, refs, 'scope.item_ids', kept)
  }
  if (scope.kind === 'view' && scope.view_id !== stored?.view_id) {
    const view = await tx.findOne(CustomView, { id: scope.view_id })
    const message = view ? 'names a view for certain readers, and a feed is for everyone' : 'names no view of this page'
    if (view?.access_mode !== 'public') throw invalid([{ path: 'scope.view_id', message }])
  }
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
