import { Beat } from '../../../persistence/entities/beat.ts'
import { workflowIdOf } from '../../kernel/processes.ts'
import { recordSubject } from '../../kernel/subject.ts'
import { alsoStored, snapshotBeat } from './snapshot.ts'

export const beatProcess = (beat: { id: number }) => workflowIdOf('beat', beat.id)
export const groupProcess = (groupId: number) => workflowIdOf('beat-group', groupId)
/** The process of an owner. */
export const ownerProcess = (kind: 'beat' | 'beat_group', id: number) =>
  kind === 'beat' ? beatProcess({ id }) : groupProcess(id)

export const beatSubject = recordSubject('beat', Beat, snapshotBeat, { external: true, alsoStored })
