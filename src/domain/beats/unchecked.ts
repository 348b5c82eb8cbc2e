import { LockMode } from '@mikro-orm/postgresql'
import { tailsOf } from '../../persistence/beat-results.ts'
import { Beat } from '../../persistence/entities/beat.ts'
import { ProcessNote } from '../../persistence/entities/process-note.ts'
import type { Scene } from '../kernel/scene.ts'
import { beatProcess } from './subject.ts'

/**
 * Nobody checks this beat from a region, or can. If it is overdue everywhere, its stage is not known any more, and that
 * is said once; answers when it will be overdue where it is not yet, and the next result ends it.
 */
export async function unchecked(
  scene: Scene,
  beatId: number,
  { region, because }: { region: string; because: string },
): Promise<Date | null> {
  const { tx, pageId, now } = scene
  const beat = await tx.findOne(Beat, { id: beatId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
  if (!beat?.enabled || beat.unknown_since || !beat.regions.includes(region)) return null
  const patience = beat.interval_seconds * 1000 + beat.timeout_ms
  const since = new Date(now.getTime() - patience)
  const [newest] = await tailsOf(tx, beat.id, { regions: beat.regions, depth: 1, since })
  if (newest) return new Date(newest.due_at.getTime() + patience)
  beat.unknown_since = now
  beat.unknown_because = because
  tx.create(ProcessNote, {
    page_id: pageId,
    workflow_id: beatProcess(beat),
    at: now,
    cause: 'region',
    message: `not checked: ${because}`,
  })
  return null
}
