import { BeatAction } from '../../../persistence/entities/beat-action.ts'
import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { StepContext } from '../../kernel/step.ts'
import { beatName } from '../definition/naming-rules.ts'
import { newTransition } from '../stage/transition.ts'
import type { Owner } from './owner.ts'

/**
 * What an action comes of: the last change, if that led to this stage and there is no action of it yet. Otherwise it is
 * numbered anew: a group tells what some of its members show, and a beat tells by itself what its group told before.
 */
export async function toActOn(
  ctx: StepContext,
  owner: Owner,
  last: BeatTransition,
  stage: string,
): Promise<BeatTransition> {
  const { tx } = ctx
  const taken = (await tx.count(BeatAction, { transition_id: last.id })) > 0
  if (last.to_stage === stage && !taken) return last
  const { record, voice } = owner
  const number = record.transition_number + 1
  const seen = owner.kind === 'beat' ? last : await lastOfVoice(ctx, owner)
  const shown = `the transition ${voice.transition_number} to ${stage} of the ${beatName(voice)}`
  const byItself = 'its own stage, which its group acted on before'
  const transition = newTransition(ctx, owner, {
    ...{ from_stage: owner.kind === 'beat' ? last.to_stage : record.acted_stage, to_stage: stage },
    cause_key: `${number}:anew:${voice.id}:${voice.transition_number}`,
    cause: owner.kind === 'beat' ? byItself : shown,
    evidence: seen?.evidence ?? '',
    facts: {
      ...seen?.facts,
      ...(owner.kind === 'beat' ? {} : { beat_id: voice.id }),
      ...(seen ? { since: seen.facts.since ?? seen.at.toISOString() } : {}),
    },
  })
  record.settled_number = number
  await tx.flush()
  return transition
}

const lastOfVoice = ({ tx }: StepContext, { voice }: Owner) =>
  tx.findOne(BeatTransition, { owner_kind: 'beat', owner_id: voice.id, number: voice.transition_number })
