import type { EntityManager } from '@mikro-orm/postgresql'
import { run, type Statement, sql } from './sql.ts'

/** How long other processes wait for a process that makes an answer. A process that was killed makes none. */
const LEASE = sql`interval '1500 milliseconds'`
/** Answers that were not renewed for so long are deleted. */
const KEPT = sql`interval '1 minute'`
const MOST_PER_PAGE = 500

/** An answer and the process that asks for it. */
export interface Asked {
  pageId: number
  key: string
  processId: string
}

export interface StoredAnswer {
  /** The state of the page that the answer shows. */
  revision: string
  headers: Record<string, string>
  content: string
  /** Compressed; null: too long to be shared. */
  body: Buffer | null
}

interface Row extends StoredAnswer {
  /** Another process is making the answer. */
  is_awaited: boolean
  /** When the making of the answer began; null while the answer is being made. */
  made_at: string | null
  age_ms: number
}

export async function findAnswer(tx: EntityManager, { pageId, key, processId }: Asked): Promise<Row | undefined> {
  const [row] = await run<Row>(
    tx,
    sql`select revision, headers, content, body, made_at::text,
        (extract(epoch from clock_timestamp() - made_at) * 1000)::float8 as age_ms,
        making_by <> ${processId} and making_until > clock_timestamp() as is_awaited
      from shared_read where page_id = ${pageId} and key = ${key}`,
  )
  return row
}

/** Deletes old answers of the page; returns whether there is room for another one. */
export async function makeRoom(tx: EntityManager, pageId: number): Promise<boolean> {
  const [row] = await run<{ has_room: boolean }>(
    tx,
    sql`with gone as (delete from shared_read where (page_id, key) in (select page_id, key from shared_read
        where page_id = ${pageId} and making_until < clock_timestamp() - ${KEPT} for update skip locked) returning 1)
      select (select count(*) from shared_read where page_id = ${pageId}) - (select count(*) from gone) < ${MOST_PER_PAGE}
        as has_room`,
  )
  return row!.has_room
}

/**
 * Leaves the making of an answer to this process; returns what the lease is known by. Undefined if another process makes the
 * answer, or has made it since `madeAt`. The old answer goes, because no process takes it any more. A process may begin again
 * what it is making itself.
 */
export async function leaseAnswer(
  tx: EntityManager,
  { pageId, key, processId }: Asked,
  madeAt: string | null,
): Promise<string | undefined> {
  const [row] = await run<{ until: string }>(
    tx,
    sql`insert into shared_read as s (page_id, key, making_by, making_until)
      values (${pageId}, ${key}, ${processId}, clock_timestamp() + ${LEASE})
      on conflict (page_id, key) do update set making_by = excluded.making_by, making_until = excluded.making_until,
          made_at = null, revision = null, headers = null, content = null, body = null
        where (s.making_until <= clock_timestamp() or s.making_by = excluded.making_by)
          and s.made_at is not distinct from ${madeAt}::timestamptz
      returning making_until::text as until`,
  )
  return row?.until
}

const ofLease = ({ pageId, key, processId }: Asked, lease: string): Statement =>
  sql`page_id = ${pageId} and key = ${key} and making_by = ${processId} and making_until = ${lease}::timestamptz
    and made_at is null`

/** Stores the answer for all processes and ends the lease. Without the lease, another process makes the answer. */
export async function storeAnswer(
  tx: EntityManager,
  asked: Asked,
  lease: string,
  { revision, headers, content, body }: StoredAnswer,
): Promise<void> {
  await run(
    tx,
    sql`update shared_read set revision = ${revision}, headers = ${JSON.stringify(headers)}, content = ${content},
        body = ${body}, made_at = making_until - ${LEASE}, making_until = clock_timestamp()
      where ${ofLease(asked, lease)}`,
  )
}

/** Ends a lease without an answer. */
export async function endLease(tx: EntityManager, asked: Asked, lease: string): Promise<void> {
  await run(tx, sql`delete from shared_read where ${ofLease(asked, lease)}`)
}
