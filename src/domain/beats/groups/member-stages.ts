import { Beat } from '../../../persistence/entities/beat.ts'
import type { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { beatName } from '../definition/naming-rules.ts'
import { lockBeats } from '../stage/lock-beats.ts'
import { itemsOf, suppressionOf } from '../stage/suppression.ts'
import type { Suppression } from '../stage/suppression-rules.ts'

/** A member that is suppressed: the group counts the stage from before the suppression. */
export interface FrozenMember {
  beat: Beat
  suppression: Suppression
}

/** A member that counts with another stage than before. */
export interface RecountedMember {
  beat: Beat
  was: string | null
}

export const membersOf = ({ tx }: Pick<WorkContext, 'tx'>, { id }: Pick<BeatGroup, 'id'>): Promise<Beat[]> =>
  tx.find(Beat, { beat_group_id: id }, { orderBy: { id: 'asc' } })

/** A disabled member has no stage in its group. */
const isCounted = ({ enabled, counted_stage, current_stage }: Beat) =>
  counted_stage === (enabled ? current_stage : null)

/** Writes the stage with which each member counts. `frozen` are the members whose counted stage differs from their stage. */
export async function countMembers(
  work: WorkContext,
  group: BeatGroup,
  members: Beat[],
): Promise<{ frozen: FrozenMember[]; recounted: RecountedMember[] }> {
  const changed = members.filter((beat) => !isCounted(beat)).map(({ id }) => id)
  const frozen: FrozenMember[] = []
  const recounted: RecountedMember[] = []
  if (changed.length === 0) return { frozen, recounted }
  for (const beat of await lockBeats(work, { id: { $in: changed }, beat_group_id: group.id })) {
    const was = beat.counted_stage
    const suppression = beat.enabled ? await suppressionOf(work, beat, await itemsOf(work, 'beat', [beat.id])) : null
    if (suppression === null) {
      beat.counted_stage = beat.enabled ? beat.current_stage : null
    } else {
      // The beat joined the group, or was enabled, during the suppression: its own process knows the stage before.
      beat.counted_stage ??= beat.acted_stage
      if (!isCounted(beat)) frozen.push({ beat, suppression })
    }
    if (beat.counted_stage !== was) recounted.push({ beat, was })
  }
  await work.tx.flush()
  return { frozen, recounted }
}

/** The member that gives the group its stage: of the members in that stage, the last to reach it. */
export function worstMember(members: Beat[], stage: string): Beat | undefined {
  const since = ({ last_state_changed_at }: Beat) => last_state_changed_at?.getTime() ?? 0
  return members
    .filter(({ enabled, counted_stage }) => enabled && counted_stage === stage)
    .reduce<Beat | undefined>((last, beat) => (last && since(last) >= since(beat) ? last : beat), undefined)
}

export const frozenInWords = ({ beat, suppression }: FrozenMember): string =>
  `${suppression.because}: the ${beatName(beat)} counts as ${beat.counted_stage ?? 'unknown'}, not as ${beat.current_stage ?? 'unknown'}`
