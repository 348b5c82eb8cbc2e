import type { EntityManager } from '@mikro-orm/postgresql'
import { IdempotencyRecord } from './entities/idempotency-record.ts'

/** False while another transaction works under the same key; held to the end of this one. */
export async function lockKey(tx: EntityManager, name: string): Promise<boolean> {
  const [row] = await tx.execute<{ locked: boolean }[]>(
    'select pg_try_advisory_xact_lock(hashtextextended(?, 0)) as locked',
    [name],
  )
  return row?.locked === true
}

export function findAnswer(tx: EntityManager, actor: string, key: string, notBefore: Date) {
  return tx.findOne(IdempotencyRecord, { actor, key, created_at: { $gte: notBefore } })
}
