import type { EntityManager, EntityName, FilterQuery } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { type AskedPart, cursorKeys, decodeCursor, pageOf } from './paging.ts'

/** A part of the records of a table, newest first, with their number. */
export async function newestFirst<R extends { id: number }>(
  tx: EntityManager,
  entity: EntityName<R>,
  { limit, cursor }: AskedPart,
  only: object = {},
): Promise<{ rows: R[]; total: number; next_cursor: string | undefined }> {
  const after = decodeCursor(cursor, z.tuple([cursorKeys.id]))
  const where = { ...only, ...(after ? { id: { $lt: after[0] } } : {}) } as FilterQuery<R>
  const rows = (await tx.find(entity, where, { orderBy: { id: 'desc' } as never, limit: limit + 1 })) as R[]
  const { rows: shown, next_cursor } = pageOf(rows, limit, ({ id }) => [id])
  return { rows: shown, total: await tx.count(entity, only as FilterQuery<R>), next_cursor }
}
