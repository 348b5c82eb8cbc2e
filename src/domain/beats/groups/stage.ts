import type { Beat } from '../../../persistence/entities/beat.ts'
import type { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { StepContext } from '../../kernel/step.ts'
import { beatName } from '../definition/naming-rules.ts'
import { type Stage, worstStage } from '../stage/stage-rules.ts'
import { applyTransition, newTransition } from '../stage/transition.ts'

/** Nobody checks a beat that is disabled: what was seen last says nothing of the present. */
const stageOf = (members: Beat[]): Stage | null =>
  worstStage(members.filter(({ enabled }) => enabled).map(({ current_stage }) => current_stage as Stage | null))

/** The member by which a stage is told: of those that are in it, the one that came to it last. */
export function voiceOf(members: Beat[], stage: string): Beat | undefined {
  const since = ({ last_state_changed_at }: Beat) => last_state_changed_at?.getTime() ?? 0
  return members
    .filter(({ enabled, current_stage }) => enabled && current_stage === stage)
    .reduce<Beat | undefined>((last, one) => (last && since(last) >= since(one) ? last : one), undefined)
}

/** Numbers a change of the group's stage, under its lock, if the worst of its members is another now. */
export async function turn(ctx: StepContext, group: BeatGroup, members: Beat[]): Promise<void> {
  const { tx } = ctx
  if (!members.some(({ enabled }) => enabled)) group.current_stage = null
  const stage = stageOf(members)
  const voice = stage && voiceOf(members, stage)
  if (!stage || !voice || stage === group.current_stage) return
  const own = { owner_kind: 'beat' as const, owner_id: voice.id, number: voice.transition_number }
  const told = await tx.findOne(BeatTransition, own)
  const transition = newTransition(
    ctx,
    { kind: 'beat_group', record: group },
    {
      ...{ from_stage: group.current_stage, to_stage: stage },
      cause: `the transition ${voice.transition_number} to ${stage} of the ${beatName(voice)}`,
      // A member may make it so again by the same transition, as when it was switched off meanwhile.
      cause_key: `${group.transition_number + 1}:beat:${voice.id}:transition:${voice.transition_number}`,
      evidence: told?.evidence ?? voice.last_evidence_summary ?? '',
      facts: { ...told?.facts, beat_id: voice.id },
    },
  )
  applyTransition(group, transition)
  await tx.flush()
  ctx.note(
    'stage',
    `transition ${transition.number} to ${stage}, by the transition ${own.number} of the ${beatName(voice)}`,
  )
}
