import { Beat } from '../../persistence/entities/beat.ts'
import type { Scene } from '../kernel/scene.ts'
import type { Owner } from './owner.ts'
import { freetextOf } from './wording.ts'

/** In words for the transition: nothing is opened that would say of nothing that it is disrupted. */
export const NOTHING_AFFECTED = 'none of its items exists any more, and it says no affected_items_freetext'

/** Whether there is nothing that customers could be told to be affected: its items were deleted, or are in the archive. */
export async function affectsNothing({ tx }: Scene, owner: Owner): Promise<boolean> {
  const { kind, record, items } = owner
  if (items.length > 0 || freetextOf(owner)) return false
  if (kind === 'beat') return true
  // Of a group any member may say it.
  const members = await tx.find(Beat, { beat_group_id: record.id })
  return !members.some(({ affected_items_freetext }) => affected_items_freetext)
}
