import { raw } from '@mikro-orm/postgresql'
import type { Beat } from '../../../persistence/entities/beat.ts'
import { BeatChange } from '../../../persistence/entities/beat-change.ts'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { beatName } from '../definition/naming-rules.ts'
import { beatProcess, groupProcess } from '../definition/subject.ts'

/** Who reads these groups sees other members there, so that they are other versions. */
export async function membersChanged(
  { tx, now }: Pick<WorkContext, 'tx' | 'now'>,
  groups: (number | null)[],
): Promise<void> {
  const ids = groups.filter((id) => id !== null)
  if (ids.length === 0) return
  await tx.nativeUpdate(BeatGroup, { id: { $in: ids } }, { version: raw('version + 1'), updated_at: now })
}

/**
 * A beat is new, another, switched or gone: the shards that check it read it anew within a second, and its process
 * looks, and that of its group. Whoever changes what either of them reads calls this, in the transaction of the change.
 */
export function beatConfigChanged({ tx, pageId, now, wake }: WorkContext, beat: Beat, reason: string): void {
  beat.config_version += 1
  tx.create(BeatChange, { page_id: pageId, beat_id: beat.id, created_at: now })
  wake(beatProcess(beat), reason)
  if (beat.beat_group_id !== null) wake(groupProcess(beat.beat_group_id), `${reason}, of the ${beatName(beat)}`)
}
