import type { EntityName, FilterQuery } from '@mikro-orm/postgresql'
import { LockMode } from '@mikro-orm/postgresql'
import type { Context } from './context.ts'
import type { Subject, SubjectRef } from './operation.ts'

/**
 * The subject of operations on records of one table, found by id or, if the table has one, by `external_id`. An operation
 * that changes the record locks the record first, so that it reads the newest state.
 */
export function recordSubject<S extends { id: number }>(
  kind: string,
  entity: EntityName<S>,
  snapshot: (record: S) => Record<string, unknown>,
  options: { external?: boolean; alsoStored?: Subject<S>['alsoStored'] } & Record<string, unknown> = {},
): Subject<S> {
  const { external = false, alsoStored, ...fixed } = options
  return {
    kind,
    external,
    id: (record) => record.id,
    snapshot,
    ...(alsoStored ? { alsoStored } : {}),
    find(ctx: Context, ref: SubjectRef | undefined, { lock }): Promise<S | null> {
      return ctx.tx.findOne(
        entity,
        { ...fixed, ...ref } as unknown as FilterQuery<S>,
        lock ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {},
      ) as Promise<S | null>
    },
  }
}
