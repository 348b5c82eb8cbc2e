import { raw } from '@mikro-orm/postgresql'
import type { Beat } from '../../../persistence/entities/beat.ts'
import { BeatChange } from '../../../persistence/entities/beat-change.ts'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { WorkContext } from '../../kernel/work-context.ts'

/** Raises the versions of groups whose members have changed, because readers see the members. */
export async function membersChanged(
  { tx, now }: Pick<WorkContext, 'tx' | 'now'>,
  groups: (number | null)[],
): Promise<void> {
  const ids = groups.filter((id) => id !== null)
  if (ids.length === 0) return
  await tx.nativeUpdate(BeatGroup, { id: { $in: ids } }, { version: raw('version + 1'), updated_at: now })
}

/**
 * Called in the transaction of each change of a beat that its checks or its process read: creation, change, switch, deletion.
 * The shards of the beat read the beat again within a second, and the processes of the beat and of its group take a step.
 */
export function beatConfigChanged({ tx, pageId, now, wake }: WorkContext, beat: Beat, reason: string): void {
  beat.config_version += 1
  tx.create(BeatChange, { page_id: pageId, beat_id: beat.id, created_at: now })
  wake({ kind: 'beat', id: beat.id }, reason)
  if (beat.beat_group_id !== null) wake({ kind: 'beat-group', id: beat.beat_group_id }, reason)
}
