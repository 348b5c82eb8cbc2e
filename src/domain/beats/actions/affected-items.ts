import { Beat } from '../../../persistence/entities/beat.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import type { Owner } from '../definition/owner.ts'

interface Affected {
  items: number[]
  affected_items_freetext: string | null
}

/** Whether an incident can name anything: items that exist and are not archived, or a freetext. */
export async function hasAffectedItems(
  { tx }: Pick<WorkContext, 'tx'>,
  { kind, record }: Pick<Owner, 'kind' | 'record'>,
  { items, affected_items_freetext }: Affected,
): Promise<boolean> {
  if (items.length > 0 || affected_items_freetext) return true
  if (kind === 'beat') return false
  const members = await tx.find(Beat, { beat_group_id: record.id })
  return members.some((member) => member.affected_items_freetext)
}
