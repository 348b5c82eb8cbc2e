import { LockMode } from '@mikro-orm/postgresql'
import { Beat } from '../../../persistence/entities/beat.ts'
import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { beatName } from '../definition/naming-rules.ts'
import { beatProcess, groupProcess } from '../definition/subject.ts'
import { notifyStageChange } from './stage-notifications.ts'
import type { Stage } from './stage-rules.ts'
import { applyTransition, newTransition } from './transition.ts'

export const laterOf = (one: Date, other: Date): Date => (one > other ? one : other)

/** What somebody who watches a beat has to say about its stage. */
export interface Observation {
  stage: Stage
  /** What happened, by facts alone: the same report again is the same transition. */
  key: string
  /** The same in words, for the history. */
  cause: string
  evidence: string
  facts?: BeatTransition['facts']
}

/**
 * The one way in which a beat changes its stage. Whoever observed something is asked what that means under the lock of
 * the beat, when everything that others have stored can be seen; of two at once the second sees what the first did.
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
  const seen = await judge(beat)
  if (!seen) return null
  beat.unknown_since = null
  beat.unknown_because = null
  if (seen.stage === beat.current_stage) return null
  const said = { owner_kind: 'beat' as const, owner_id: beat.id, cause_key: seen.key }
  if ((await tx.count(BeatTransition, said)) > 0) return null
  const transition = changeStage(work, beat, seen)
  await tx.flush()
  return transition
}

/** Writes the transition of a beat whose lock is held, and wakes whoever acts on it. */
export function changeStage(work: WorkContext, beat: Beat, seen: Observation): BeatTransition {
  const { wake } = work
  const { stage, key, cause, evidence, facts = {} } = seen
  const turn = { from_stage: beat.current_stage, to_stage: stage, cause, cause_key: key, evidence, facts }
  const transition = newTransition(work, { kind: 'beat', record: beat }, turn)
  applyTransition(beat, transition)
  const what = `transition ${transition.number} to ${stage}, by ${cause}`
  wake(beatProcess(beat), what)
  if (beat.beat_group_id !== null) wake(groupProcess(beat.beat_group_id), `${what} of the ${beatName(beat)}`)
  notifyStageChange(work, beat, transition)
  return transition
}
