import { LockMode } from '@mikro-orm/postgresql'
import { Beat } from '../../persistence/entities/beat.ts'
import { BeatTransition } from '../../persistence/entities/beat-transition.ts'
import type { Scene } from '../kernel/scene.ts'
import { beatName } from './naming-rules.ts'
import type { Stage } from './stage-rules.ts'
import { beatProcess, groupProcess } from './subject.ts'
import { tellStage } from './told.ts'
import { numbered, turned } from './transition.ts'

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
export async function observe(
  scene: Scene,
  beatId: number,
  judge: (beat: Beat) => Promise<Observation | null>,
): Promise<BeatTransition | null> {
  const { tx } = scene
  const beat = await tx.findOne(Beat, { id: beatId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
  scene.now = laterOf(scene.now, scene.clock())
  if (!beat?.enabled) return null
  const seen = await judge(beat)
  if (!seen) return null
  beat.unknown_since = null
  beat.unknown_because = null
  if (seen.stage === beat.current_stage) return null
  const said = { owner_kind: 'beat' as const, owner_id: beat.id, cause_key: seen.key }
  if ((await tx.count(BeatTransition, said)) > 0) return null
  const transition = changeStage(scene, beat, seen)
  await tx.flush()
  return transition
}

/** Writes the transition of a beat whose lock is held, and wakes whoever acts on it. */
export function changeStage(scene: Scene, beat: Beat, seen: Observation): BeatTransition {
  const { wake } = scene
  const { stage, key, cause, evidence, facts = {} } = seen
  const turn = { from_stage: beat.current_stage, to_stage: stage, cause, cause_key: key, evidence, facts }
  const transition = numbered(scene, { kind: 'beat', record: beat }, turn)
  turned(beat, transition)
  const what = `transition ${transition.number} to ${stage}, by ${cause}`
  wake(beatProcess(beat), what)
  if (beat.beat_group_id !== null) wake(groupProcess(beat.beat_group_id), `${what} of the ${beatName(beat)}`)
  tellStage(scene, beat, transition)
  return transition
}
