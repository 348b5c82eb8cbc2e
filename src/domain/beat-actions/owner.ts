import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { Beat } from '../../persistence/entities/beat.ts'
import { BeatGroup } from '../../persistence/entities/beat-group.ts'
import type { BeatTransition } from '../../persistence/entities/beat-transition.ts'

/** Whose actions they are. What acts of a beat and of a group is the same, and read alike. */
export interface Owner {
  kind: 'beat' | 'beat_group'
  record: Beat | BeatGroup
  /** What is affected of the page, by ids. */
  items: number[]
  /** The beat that tells it: the beat itself, or the member that makes the group what it is. */
  voice: Beat
  /** Whose message policies speak. */
  speaker: { kind: 'beat' | 'beat_group'; record: Beat | BeatGroup }
  /** Of a group: what those of its members stand for that are seen to be well. */
  well?: number[]
}

const words = { beat: 'beat', beat_group: 'group' } as const

/** As notes and reasons call it: `beat 12`. */
export const nameOf = ({ kind, record }: Pick<Owner, 'kind' | 'record'>) => `${words[kind]} ${record.id}`

export const ownedBy = ({ kind, record }: Pick<Owner, 'kind' | 'record'>) => ({ owner_kind: kind, owner_id: record.id })

/** The record, ours alone: whoever acts for it holds this, and looks at its incident and its drafts only then. */
export function lockOwner(
  tx: EntityManager,
  { owner_kind, owner_id }: Pick<BeatTransition, 'owner_kind' | 'owner_id'>,
): Promise<Beat | BeatGroup | null> {
  const ours = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const
  return owner_kind === 'beat'
    ? tx.findOne(Beat, { id: owner_id }, ours)
    : tx.findOne(BeatGroup, { id: owner_id }, ours)
}
