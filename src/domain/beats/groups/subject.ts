import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { valuesOf } from '../../kernel/fields.ts'
import { recordSubject } from '../../kernel/subject.ts'
import { alsoStored, identityOf } from '../definition/snapshot.ts'
import { groupFields } from './fields.ts'

/** The fields that clients set: an audit row compares them. */
export const snapshotGroup = (group: BeatGroup) => ({
  ...identityOf(group),
  ...valuesOf(groupFields, group),
})

export const groupSubject = recordSubject('beat_group', BeatGroup, snapshotGroup, { external: true, alsoStored })
