import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { Beat } from '../../../persistence/entities/beat.ts'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import { beatName, groupName } from './naming-rules.ts'

/** The beat or group whose transition an action belongs to. */
export interface Owner {
  kind: 'beat' | 'beat_group'
  record: Beat | BeatGroup
  /** The ids of the affected items. */
  items: number[]
  /** The beat itself, or the member that gives the group its stage. */
  worstBeat: Beat
  /** The beat or group whose message policies apply. */
  messageSource: { kind: 'beat' | 'beat_group'; record: Beat | BeatGroup }
}

/** The name of the owner in notes and reasons: `beat "Search" (12)`. */
export const nameOf = ({ record }: Pick<Owner, 'record'>) => (isGroup(record) ? groupName(record) : beatName(record))

export const isGroup = (record: Beat | BeatGroup): record is BeatGroup => 'message_source_mode' in record

export const ownedBy = ({ kind, record }: Pick<Owner, 'kind' | 'record'>) => ({ owner_kind: kind, owner_id: record.id })

type OwnedBy = Pick<BeatTransition, 'owner_kind' | 'owner_id'>

export function findOwner(
  tx: EntityManager,
  { owner_kind, owner_id: id }: OwnedBy,
  options: { lockMode?: LockMode.PESSIMISTIC_WRITE; refresh?: boolean } = {},
): Promise<Beat | BeatGroup | null> {
  return owner_kind === 'beat' ? tx.findOne(Beat, { id }, options) : tx.findOne(BeatGroup, { id }, options)
}

/** The record, locked. Steps and reviews lock the owner before its incident and its actions. */
export const lockOwner = (tx: EntityManager, owned: OwnedBy): Promise<Beat | BeatGroup | null> =>
  findOwner(tx, owned, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
