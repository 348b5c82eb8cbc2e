import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { Beat } from '../../../persistence/entities/beat.ts'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import { beatName, groupName } from '../definition/naming-rules.ts'

/** Whose actions they are. What acts of a beat and of a group is the same, and read alike. */
export interface Owner {
  kind: 'beat' | 'beat_group'
  record: Beat | BeatGroup
  /** What is affected of the page, by ids. */
  items: number[]
  /** The beat itself, or the member that gives the group its stage. */
  worstBeat: Beat
  /** The beat or group whose message policies apply. */
  messageSource: { kind: 'beat' | 'beat_group'; record: Beat | BeatGroup }
}

/** As notes and reasons name it: `beat "Search" (12)`. */
export const nameOf = ({ kind, record }: Pick<Owner, 'kind' | 'record'>) =>
  kind === 'beat' ? beatName(record) : groupName(record)

export const ownedBy = ({ kind, record }: Pick<Owner, 'kind' | 'record'>) => ({ owner_kind: kind, owner_id: record.id })

type OwnedBy = Pick<BeatTransition, 'owner_kind' | 'owner_id'>

export function findOwner(
  tx: EntityManager,
  { owner_kind, owner_id: id }: OwnedBy,
  options: { lockMode?: LockMode.PESSIMISTIC_WRITE; refresh?: boolean } = {},
): Promise<Beat | BeatGroup | null> {
  return owner_kind === 'beat' ? tx.findOne(Beat, { id }, options) : tx.findOne(BeatGroup, { id }, options)
}

/** The record, ours alone: whoever acts for it holds this, and looks at its incident and its drafts only then. */
export const lockOwner = (tx: EntityManager, owned: OwnedBy): Promise<Beat | BeatGroup | null> =>
  findOwner(tx, owned, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
