import { LockMode } from '@mikro-orm/postgresql'
import { Beat } from '../../../persistence/entities/beat.ts'
import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { beatName } from '../definition/naming-rules.ts'
import { notifyStageChange } from './stage-notifications.ts'
import type { Stage } from './stage-rules.ts'
import { applyTransition, newTransition } from './transition.ts'

export const laterOf = (one: Date, other: Date): Date => (one > other ? one : other)

/** The stage of a beat by its checks, calls or events. */
export interface Observation {
  stage: Stage
  /** The natural key of the cause: a repeated report is the same transition. */
  key: string
  /** The cause in words, for the history. */
  cause: string
  evidence: string
  facts?: BeatTransition['facts']
}

/**
 * Changes the stage of a beat by an observation. `judge` runs under the lock of the beat, when all facts of concurrent
 * transactions are visible.
 */
export async function observeStage(
  work: WorkContext,
  beatId: number,
  judge: (beat: Beat) => Promise<Observation | null>,
): Promise<BeatTransition | null> {
  const { tx } = work
  const beat = await tx.findOne(Beat, { id: beatId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
  work.now = laterOf(work.now, work.clock())
  if (!beat?.enabled) return null
  const observation = await judge(beat)
  if (!observation) return null
  markKnown(beat)
  if (observation.stage === beat.current_stage) return null
  const same = { owner_kind: 'beat' as const, owner_id: beat.id, cause_key: observation.key }
  if ((await tx.count(BeatTransition, same)) > 0) return null
  const transition = changeStage(work, beat, observation)
  await tx.flush()
  return transition
}

/** Applies an observation to a beat whose lock is held: its stage is known again, and another stage is a transition. */
export function applyObservation(work: WorkContext, beat: Beat, observation: Observation): BeatTransition | null {
  markKnown(beat)
  return observation.stage === beat.current_stage ? null : changeStage(work, beat, observation)
}

function markKnown(beat: Beat): void {
  beat.unknown_since = null
  beat.unknown_because = null
}

/** Writes the transition of a beat whose lock is held, and wakes the processes of the beat and of its group. */
function changeStage(work: WorkContext, beat: Beat, observation: Observation): BeatTransition {
  const { wake } = work
  const { stage, key, cause, evidence, facts = {} } = observation
  const turn = { from_stage: beat.current_stage, to_stage: stage, cause, cause_key: key, evidence, facts }
  const transition = newTransition(work, { kind: 'beat', record: beat }, turn)
  applyTransition(beat, transition)
  const change = `from ${turn.from_stage ?? 'unknown'} to ${stage} by ${cause}`
  wake({ kind: 'beat', id: beat.id }, `transition ${transition.number} ${change}`)
  if (beat.beat_group_id !== null) {
    wake(
      { kind: 'beat-group', id: beat.beat_group_id },
      `transition ${transition.number} of the ${beatName(beat)} ${change}`,
    )
  }
  notifyStageChange(work, beat, transition)
  return transition
}
