import type { EntityManager } from '@mikro-orm/postgresql'
import type { Beat } from '../../../persistence/entities/beat.ts'
import { BeatFingerprint } from '../../../persistence/entities/beat-fingerprint.ts'
import type { Stage } from '../stage/stage-rules.ts'

/** What events of other systems report as ill at these beats, in one query. */
export async function openFingerprintsOf(tx: EntityManager, beats: Pick<Beat, 'id' | 'type'>[]) {
  const ids = beats.filter(({ type }) => type === 'external_event').map(({ id }) => id)
  const where = { beat_id: { $in: ids }, stage: { $ne: 'healthy' as const } }
  const rows = ids.length > 0 ? await tx.find(BeatFingerprint, where, { orderBy: { id: 'asc' }, refresh: true }) : []
  const byBeat = Map.groupBy(rows, ({ beat_id }) => beat_id)
  return ({ id, type }: Pick<Beat, 'id' | 'type'>) =>
    type !== 'external_event'
      ? undefined
      : (byBeat.get(id) ?? []).map(({ fingerprint, stage, since, trigger_id }) => ({
          ...{ fingerprint, stage: stage as Stage, since: since.toISOString(), trigger_id },
        }))
}
