import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { lockSubject, type StepContext, type StepResult } from '../kernel/step.ts'
import { recomputeStatuses } from './statuses.ts'

/** What an item's process does when it looks: end a status that was set by hand for a time. */
export async function itemStep(ctx: StepContext): Promise<StepResult> {
  const item = await lockSubject(ctx, HierarchyItem)
  if (!item?.override_until) return { done: true, says: 'nothing: no status is set by hand for a time' }
  const { override_until: until, override_status: status } = item
  if (until > ctx.now) return { done: false, says: `the end of "${status}" at ${until.toISOString()}`, until }
  Object.assign(item, { override_status: null, override_reason: null, override_until: null, override_since: null })
  Object.assign(item, { version: item.version + 1, updated_at: ctx.now })
  const cause = { kind: 'override', id: item.id }
  await recomputeStatuses(ctx.tx, { pageId: ctx.pageId, now: ctx.now, cause, since: until })
  ctx.note('due', `"${status}", set by hand until ${until.toISOString()}, ended`)
  return { done: true, says: 'nothing: the status set by hand has ended' }
}
