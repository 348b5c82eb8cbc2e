import { type FilterQuery, LockMode } from '@mikro-orm/postgresql'
import { Beat } from '../../../persistence/entities/beat.ts'
import type { WorkContext } from '../../kernel/work-context.ts'

/** Locks beats in the order of their ids, as every transaction does, and reads their newest state. */
export const lockBeats = ({ tx }: Pick<WorkContext, 'tx'>, which: FilterQuery<Beat>): Promise<Beat[]> =>
  tx.find(Beat, which, { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
