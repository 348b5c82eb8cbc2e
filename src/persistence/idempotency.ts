import type { EntityManager } from '@mikro-orm/postgresql'
import { run, sql } from './sql.ts'

export interface StoredAnswer {
  request_hash: string
  existing: boolean
  output: unknown
}

/**
 * Takes a key for this transaction, unless another transaction holds the key, and finds its answer since `notBefore`. An
 * answer that was committed after this read makes the insert of the own answer fail as not unique; the retry finds it.
 */
export async function takeKey(
  tx: EntityManager,
  actor: string,
  key: string,
  notBefore: Date,
): Promise<{ taken: boolean; answer?: StoredAnswer }> {
  const [row] = await run<{ taken: boolean; fresh: boolean | null } & StoredAnswer>(
    tx,
    sql`select pg_try_advisory_xact_lock(hashtextextended('idempotency ' || ${actor} || ' ' || ${key}, 0)) as taken,
        r.created_at >= ${notBefore} as fresh, r.request_hash, r.existing, r.output
      from (select) as one left join idempotency_record r on r.actor = ${actor} and r.key = ${key}`,
  )
  if (!row?.taken) return { taken: false }
  if (row.fresh) return { taken: true, answer: row }
  if (row.fresh === false) await run(tx, sql`delete from idempotency_record where actor = ${actor} and key = ${key}`)
  return { taken: true }
}
