import type { ProcessRef } from '../../../../workflows/processes.ts'
import { Beat } from '../../../persistence/entities/beat.ts'
import { recordSubject } from '../../kernel/subject.ts'
import { alsoStored, snapshotBeat } from './snapshot.ts'

/** The process of an owner. */
export const ownerProcess = (kind: 'beat' | 'beat_group', id: number): ProcessRef => ({
  kind: kind === 'beat' ? 'beat' : 'beat-group',
  id,
})

export const beatSubject = recordSubject('beat', Beat, snapshotBeat, { external: true, alsoStored })
