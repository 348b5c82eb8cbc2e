import type { EntityManager } from '@mikro-orm/postgresql'
import { run } from './prepared.ts'

/** How long other processes wait for a process that makes an answer. A process that was killed makes none. */
const LEASE = `interval '1500 milliseconds'`
/** Answers that were not renewed for so long are deleted. */
const KEPT = `interval '1 minute'`
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

const find = `select revision, headers, content, body, made_at::text,
    (extract(epoch from clock_timestamp() - made_at) * 1000)::float8 as age_ms,
    making_by <> $3 and making_until > clock_timestamp() as is_awaited
  from shared_read where page_id = $1 and key = $2`

export async function findAnswer(tx: EntityManager, { pageId, key, processId }: Asked): Promise<Row | undefined> {
  const [row] = await run<Row>(tx, find, [pageId, key, processId])
  return row
}

const tidy = `with gone as (delete from shared_read where (page_id, key) in (select page_id, key from shared_read
    where page_id = $1 and making_until < clock_timestamp() - ${KEPT} for update skip locked) returning 1)
  select (select count(*) from shared_read where page_id = $1) - (select count(*) from gone) < $2 as has_room`

/** Deletes old answers of the page; returns whether there is room for another one. */
export async function makeRoom(tx: EntityManager, pageId: number): Promise<boolean> {
  const [row] = await run<{ has_room: boolean }>(tx, tidy, [pageId, MOST_PER_PAGE])
  return row!.has_room
}

/** The old answer goes, because no process takes it any more. A process may begin again what it is making itself. */
const begin = `insert into shared_read as s (page_id, key, making_by, making_until)
  values ($1, $2, $3, clock_timestamp() + ${LEASE})
  on conflict (page_id, key) do update set making_by = excluded.making_by, making_until = excluded.making_until,
      made_at = null, revision = null, headers = null, content = null, body = null
    where (s.making_until <= clock_timestamp() or s.making_by = excluded.making_by)
      and s.made_at is not distinct from $4::timestamptz
  returning making_until::text as until`

/**
 * Leaves the making of an answer to this process; returns what the lease is known by. Undefined if another process makes the
 * answer, or has made it since `madeAt`.
 */
export async function leaseAnswer(
  tx: EntityManager,
  { pageId, key, processId }: Asked,
  madeAt: string | null,
): Promise<string | undefined> {
  const [row] = await run<{ until: string }>(tx, begin, [pageId, key, processId, madeAt])
  return row?.until
}

const OF_LEASE = 'page_id = $1 and key = $2 and making_by = $3 and making_until = $4::timestamptz and made_at is null'

const store = `update shared_read set revision = $5, headers = $6, content = $7, body = $8,
    made_at = making_until - ${LEASE}, making_until = clock_timestamp()
  where ${OF_LEASE}`

/** Stores the answer for all processes and ends the lease. Without the lease, another process makes the answer. */
export async function storeAnswer(
  tx: EntityManager,
  { pageId, key, processId }: Asked,
  lease: string,
  { revision, headers, content, body }: StoredAnswer,
): Promise<void> {
  const values = [revision, JSON.stringify(headers), content, body]
  await run(tx, store, [pageId, key, processId, lease, ...values])
}

/** Ends a lease without an answer. */
export async function endLease(tx: EntityManager, { pageId, key, processId }: Asked, lease: string): Promise<void> {
  await run(tx, `delete from shared_read where ${OF_LEASE}`, [pageId, key, processId, lease])
}
