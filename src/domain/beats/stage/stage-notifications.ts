import type { Beat } from '../../../persistence/entities/beat.ts'
import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import { NotificationEvent } from '../../../persistence/entities/notification-event.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { addNotification } from '../../notifications/announce.ts'
import { isMuted } from './suppression-rules.ts'

const key = 'beat.stage_changed'

/** Sends a notification of each stage change, even while the beat is suppressed. Only a mute withholds the notification. */
export function notifyStageChange(
  work: WorkContext,
  beat: Beat,
  { number, from_stage, to_stage, evidence }: BeatTransition,
): void {
  const first = from_stage === null && to_stage === 'healthy'
  if (first) return
  const common = { key, kind: 'beat', id: beat.id, data: { from_stage, to_stage, evidence } }
  const natural = `transition:${number}`
  // The same transition is announced after the mute.
  const muted = { natural: `${natural}:muted`, notify: false, withheld: 'beat_muted' }
  addNotification(work, { ...common, ...(isMuted(beat, work.now) ? muted : { natural }) })
}

/** Sends, after a mute, the notification of the present stage, unless the last notification had the same stage. */
export async function notifyAfterMute(work: WorkContext, beat: Beat): Promise<void> {
  const { tx, events } = work
  const own = { kind: 'beat' as const, id: beat.id }
  if (!beat.enabled || isMuted(beat, work.now) || beat.current_stage === null) return
  if (events.some(({ key: one, subject_id }) => one === key && subject_id === own.id)) return
  const about = { key, subject_kind: own.kind, subject_id: own.id, withheld: null }
  const last = await tx.findOne(NotificationEvent, about, { orderBy: { id: 'desc' } })
  if ((last?.data.to_stage ?? 'healthy') === beat.current_stage) return
  const present = { owner_kind: own.kind, owner_id: own.id, number: beat.transition_number }
  const transition = await tx.findOne(BeatTransition, present)
  if (transition) notifyStageChange(work, beat, transition)
}
