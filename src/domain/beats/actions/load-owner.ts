import type { Beat } from '../../../persistence/entities/beat.ts'
import type { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { isGroup, type Owner } from '../definition/owner.ts'
import { groupAsOwner } from '../groups/owner.ts'
import { itemsOf } from '../stage/suppression.ts'

export async function beatAsOwner(work: Pick<WorkContext, 'tx'>, beat: Beat): Promise<Owner> {
  const own = { kind: 'beat' as const, record: beat }
  return { ...own, items: await itemsOf(work, 'beat', [beat.id]), worstBeat: beat, messageSource: own }
}

/** The beat or group with the items of now; null for a group of which no enabled member has a stage. */
export const ownerOf = (work: Pick<WorkContext, 'tx'>, record: Beat | BeatGroup): Promise<Owner | null> =>
  isGroup(record) ? groupAsOwner(work, record) : beatAsOwner(work, record)
