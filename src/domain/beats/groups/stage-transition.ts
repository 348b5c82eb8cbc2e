import type { Beat } from '../../../persistence/entities/beat.ts'
import type { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { StepContext } from '../../kernel/step.ts'
import { beatName } from '../definition/naming-rules.ts'
import { type Stage, severity, worstStage } from '../stage/stage-rules.ts'
import { applyTransition, newTransition } from '../stage/transition.ts'
import { type RecountedMember, worstMember } from './member-stages.ts'

export const stageOfMembers = (members: Beat[]): Stage | null =>
  worstStage(members.map(({ enabled, counted_stage }) => (enabled ? (counted_stage as Stage) : null)))

/** Writes a transition, under the lock of the group, if the worst counted stage of the members is another now. */
export async function applyMemberStages(
  ctx: StepContext,
  group: BeatGroup,
  members: Beat[],
  recounted: RecountedMember[],
): Promise<void> {
  const { tx } = ctx
  const stage = stageOfMembers(members)
  const worst = stage && worstMember(members, stage)
  if (!worst) group.current_stage = null
  if (!worst || stage === group.current_stage) return
  const own = { owner_kind: 'beat' as const, owner_id: worst.id, number: worst.transition_number, to_stage: stage }
  const seen = await tx.findOne(BeatTransition, own)
  const counts = `the ${beatName(worst)}, which counts as ${stage}, the worst stage of the enabled members`
  const change = changeOfMembers(group.current_stage, { worst, seen, recounted })
  const cause = change
    ? `${change}: the stage is that of ${counts}`
    : seen
      ? `transition ${seen.number} to ${stage} of the ${beatName(worst)}, the worst of the enabled members`
      : counts
  const transition = newTransition(
    ctx,
    { kind: 'beat_group', record: group },
    {
      ...{ from_stage: group.current_stage, to_stage: stage, cause },
      // The same transition of a member may set the stage again, for example after the member was disabled and enabled.
      cause_key: `${group.transition_number + 1}:beat:${worst.id}:transition:${worst.transition_number}`,
      evidence: seen?.evidence ?? '',
      facts: { ...seen?.facts, beat_id: worst.id },
    },
  )
  applyTransition(group, transition)
  await tx.flush()
  ctx.note('stage', `transition ${transition.number} to ${stage}, by ${cause}`)
}

interface Counted {
  worst: Beat
  /** The transition of the worst member to its present stage. */
  seen: BeatTransition | null
  recounted: RecountedMember[]
}

/** What changed about the members where the stage does not follow from the transition of the worst member. */
function changeOfMembers(from: string | null, { worst, seen, recounted }: Counted): string | undefined {
  if (from !== null && severity(worst.counted_stage as Stage) < severity(from as Stage)) {
    const before = recounted.filter(({ was }) => was === from)
    const recovered = before.find(({ beat }) => beat.enabled)
    if (recovered)
      return recovered.beat.id === worst.id ? undefined : `the ${beatName(recovered.beat)} is no longer ${from}`
    const [disabled] = before
    return disabled
      ? `the ${beatName(disabled.beat)}, which was ${from}, is disabled`
      : `a member that was ${from} left the group or was deleted`
  }
  const joined = recounted.some(({ beat, was }) => beat.id === worst.id && was === null)
  return joined && seen && seen.from_stage !== null
    ? `the ${beatName(worst)} joined the group or was enabled`
    : undefined
}
