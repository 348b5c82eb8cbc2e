import { Beat } from '../../../persistence/entities/beat.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import type { Owner } from './owner.ts'

type Acting = Pick<Owner, 'kind' | 'record'>

interface Affected {
  items: number[]
  affected_items_freetext: string | null
}

/** In words for the transition: nothing is opened that would say of nothing that it is disrupted. */
export const NOTHING_AFFECTED = 'none of its items exists any more, and it says no affected_items_freetext'

/** Whether there is nothing that customers could be told to be affected: its items were deleted, or are in the archive. */
export async function affectsNothing(
  { tx }: Pick<WorkContext, 'tx'>,
  { kind, record }: Acting,
  said: Affected,
): Promise<boolean> {
  const { items, affected_items_freetext } = said
  if (items.length > 0 || affected_items_freetext) return false
  if (kind === 'beat') return true
  // Of a group any member may say it.
  const members = await tx.find(Beat, { beat_group_id: record.id })
  return !members.some(({ affected_items_freetext }) => affected_items_freetext)
}
