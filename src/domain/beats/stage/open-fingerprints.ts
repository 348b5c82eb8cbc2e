import type { Beat } from '../../../persistence/entities/beat.ts'
import { BeatFingerprint } from '../../../persistence/entities/beat-fingerprint.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { applyObservation } from './observe.ts'
import { worstStage } from './stage-rules.ts'

const MOST_NAMED = 5

/** Gives a beat whose lock is held the worst stage of its open fingerprints, where no event does so. */
export async function applyOpenFingerprints(
  work: WorkContext,
  beat: Beat,
  { key, cause }: { key: string; cause: string },
): Promise<void> {
  const where = { beat_id: beat.id, stage: { $ne: 'healthy' as const } }
  const open = await work.tx.find(BeatFingerprint, where, { orderBy: { id: 'asc' }, refresh: true })
  // No event has named the beat yet.
  if (open.length === 0 && beat.current_stage === null) return
  const named = open.slice(0, MOST_NAMED).map(({ fingerprint }) => `"${fingerprint}"`)
  applyObservation(work, beat, {
    stage: worstStage(open.map(({ stage }) => stage)) ?? 'healthy',
    key: `${key}:${beat.transition_number + 1}`,
    cause,
    evidence: open.length > 0 ? `Open fingerprints: ${named.join(', ')}` : 'No fingerprint is open',
  })
}

/** Events are stored while a beat is disabled: an enabled beat has the stage of its fingerprints again. */
export async function resumeReportedStage(work: WorkContext, beat: Beat): Promise<void> {
  if (beat.type !== 'external_event') return
  const cause = `the end of the pause, during which events do not change the stage`
  await applyOpenFingerprints(work, beat, { key: 'enabled', cause })
}
