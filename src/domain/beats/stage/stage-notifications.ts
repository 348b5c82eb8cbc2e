import type { Beat } from '../../../persistence/entities/beat.ts'
import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import { NotificationEvent } from '../../../persistence/entities/notification-event.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { addNotification } from '../../notifications/announce.ts'
import { isMuted } from './suppression-rules.ts'

const key = 'beat.stage_changed'

/** People are told of a change of the stage as it is seen, whatever else holds the beat back; only a mute silences that. */
export function notifyStageChange(
  work: WorkContext,
  beat: Beat,
  { number, from_stage, to_stage, evidence }: BeatTransition,
): void {
  const first = from_stage === null && to_stage === 'healthy'
  if (first || isMuted(beat, work.now)) return
  const data = { from_stage, to_stage, evidence }
  addNotification(work, { key, kind: 'beat', id: beat.id, natural: `transition:${number}`, data })
}

/** A mute is over: of what was seen meanwhile people are told the last, unless it is what they know. */
export async function notifyAfterMute(work: WorkContext, beat: Beat): Promise<void> {
  const { tx, events } = work
  const own = { kind: 'beat' as const, id: beat.id }
  if (!beat.enabled || isMuted(beat, work.now) || beat.current_stage === null) return
  if (events.some(({ key: one, subject_id }) => one === key && subject_id === own.id)) return
  const about = { key, subject_kind: own.kind, subject_id: own.id }
  const told = await tx.findOne(NotificationEvent, about, { orderBy: { id: 'desc' } })
  if ((told?.data.to_stage ?? 'healthy') === beat.current_stage) return
  const last = { owner_kind: own.kind, owner_id: own.id, number: beat.transition_number }
  const transition = await tx.findOne(BeatTransition, last)
  if (transition) notifyStageChange(work, beat, transition)
}
