import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { lockSubject, type StepContext, type StepResult } from '../kernel/step.ts'
import { recomputeStatuses } from './statuses.ts'

/** One step of the process of an item: ends an override whose time has passed. */
export async function itemStep(ctx: StepContext): Promise<StepResult> {
  const item = await lockSubject(ctx, HierarchyItem)
  if (!item?.override_until) return { done: true, says: 'nothing: the item has no override with an end' }
  const { override_until: until, override_status: status } = item
  if (until > ctx.now)
    return { done: false, says: `the end of the override "${status}" at ${until.toISOString()}`, until }
  Object.assign(item, { override_status: null, override_reason: null, override_until: null, override_since: null })
  Object.assign(item, { version: item.version + 1, updated_at: ctx.now })
  const cause = { kind: 'override', id: item.id }
  await recomputeStatuses(ctx.tx, { pageId: ctx.pageId, now: ctx.now, cause, since: until })
  ctx.note(
    'due',
    `ended the override "${status}", which was set until ${until.toISOString()}: the status is "${item.status}"`,
  )
  return { done: true, says: 'nothing: the override has ended' }
}
