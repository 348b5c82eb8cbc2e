import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { recordSubject } from '../../kernel/subject.ts'
import { alsoStored, sharedSnapshot } from '../definition/snapshot.ts'

/** The fields that clients set: an audit row compares them. */
export const snapshotGroup = (group: BeatGroup) => ({
  id: group.id,
  ...sharedSnapshot(group),
  message_source_mode: group.message_source_mode,
})

export const groupSubject = recordSubject('beat_group', BeatGroup, snapshotGroup, { external: true, alsoStored })
