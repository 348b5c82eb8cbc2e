import type { Beat } from '../../../persistence/entities/beat.ts'
import { BeatFingerprint } from '../../../persistence/entities/beat-fingerprint.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { beatName } from '../definition/naming-rules.ts'
import { changeStage } from './observe.ts'
import { worstStage } from './stage-rules.ts'

/** Events were stored while the beat was disabled: an enabled beat has the worst stage of its open fingerprints again. */
export async function applyReportedStage(work: WorkContext, beat: Beat): Promise<void> {
  if (beat.type !== 'external_event') return
  const rows = await work.tx.find(BeatFingerprint, { beat_id: beat.id })
  if (rows.length === 0) return
  const open = rows.filter(({ stage }) => stage !== 'healthy')
  const stage = worstStage(open.map((row) => row.stage)) ?? 'healthy'
  if (stage === beat.current_stage) return
  const named = open.map(({ fingerprint }) => `"${fingerprint}"`).slice(0, 5)
  changeStage(work, beat, {
    stage,
    key: `enabled:${beat.transition_number + 1}`,
    cause: `the events that arrived while the ${beatName(beat)} was disabled`,
    evidence: open.length > 0 ? `Open fingerprints: ${named.join(', ')}` : 'No fingerprint is open',
  })
}
