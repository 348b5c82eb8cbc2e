import type { EntityManager } from '@mikro-orm/postgresql'
import { run, sql } from './sql.ts'

/** The accepted events of an endpoint, read and marked for a whole batch. */

export interface PendingEvent {
  id: number
  received_at: Date
  body: string
  /** In bytes. */
  size: number
  headers: Record<string, string[]>
  evaluated_up_to: number | null
}

/** The next events of an endpoint, in the order of their acceptance: at least one, up to a number and a size. */
export async function pendingEvents(
  tx: EntityManager,
  endpointId: number,
  most: { events: number; bytes: number },
): Promise<PendingEvent[]> {
  const rows = await run<PendingEvent>(
    tx,
    sql`select id::float8 as id, received_at, body, size, headers, evaluated_up_to from (
        select *, sum(size) over (order by id) as bytes from (
          select id, received_at, body, headers, size, evaluated_up_to from ingest_event
            where endpoint_id = ${endpointId} and state = 'pending' order by id limit ${most.events}
        ) first
      ) counted where bytes - size < ${most.bytes} order by id`,
  )
  return rows.map((row) => ({ ...row, received_at: new Date(row.received_at) }))
}

export interface EvaluatedEvent {
  id: number
  state: 'pending' | 'evaluated'
  evaluated_up_to: number | null
  redacted: string | null
  confirmation_url: string | null
}

export async function markEvaluated(tx: EntityManager, events: EvaluatedEvent[]): Promise<void> {
  if (events.length === 0) return
  const column = <K extends keyof EvaluatedEvent>(name: K) => events.map((event) => event[name])
  await run(
    tx,
    sql`update ingest_event e set state = n.state, evaluated_up_to = n.evaluated_up_to,
        redacted = coalesce(n.redacted, e.redacted), confirmation_url = coalesce(n.confirmation_url, e.confirmation_url)
      from unnest(${column('id')}::bigint[], ${column('state')}::text[], ${column('evaluated_up_to')}::int[],
          ${column('redacted')}::text[], ${column('confirmation_url')}::text[])
        as n (id, state, evaluated_up_to, redacted, confirmation_url) where e.id = n.id`,
  )
}

export interface StoredEvent {
  id: number
  received_at: Date
  body: string
  headers: Record<string, string[]>
}

/** The newest events of an endpoint, up to a number and a size, newest first. */
export async function recentEvents(
  tx: EntityManager,
  endpointId: number,
  most: { events: number; bytes: number },
): Promise<StoredEvent[]> {
  const rows = await run<StoredEvent>(
    tx,
    sql`select id::float8 as id, received_at, body, headers from (
        select *, sum(size) over (order by id desc) as bytes from (
          select id, received_at, body, headers, size from ingest_event
            where endpoint_id = ${endpointId} order by id desc limit ${most.events}
        ) newest
      ) counted where bytes - size < ${most.bytes} order by id desc`,
  )
  return rows.map((row) => ({ ...row, received_at: new Date(row.received_at) }))
}

export interface WindowEvent extends StoredEvent {
  redacted: string | null
}

const READ_AT_ONCE = 200

/** The newest events of an endpoint within a window of time, oldest first, read in parts. */
export async function* windowOfEvents(
  tx: EntityManager,
  endpointId: number,
  { from, to, limit }: { from: Date | null; to: Date | null; limit: number },
): AsyncGenerator<WindowEvent> {
  const ids = await run<{ id: number }>(
    tx,
    sql`select id::float8 as id from ingest_event where endpoint_id = ${endpointId}
        and (${from}::timestamptz is null or received_at >= ${from})
        and (${to}::timestamptz is null or received_at < ${to})
      order by ingest_event.id desc limit ${limit}`,
  )
  const oldestFirst = ids.map(({ id }) => id).reverse()
  for (let start = 0; start < oldestFirst.length; start += READ_AT_ONCE) {
    const part = oldestFirst.slice(start, start + READ_AT_ONCE)
    const rows = await run<WindowEvent>(
      tx,
      sql`select id::float8 as id, received_at, case when redacted is null then body end as body, redacted, headers
        from ingest_event where id = any(${part}::bigint[]) order by ingest_event.id`,
    )
    for (const row of rows) yield { ...row, received_at: new Date(row.received_at) }
  }
}

const DELETED_AT_ONCE = 5000

/** Deletes the events of an endpoint in parts: one statement for all of them would exceed its time. */
export async function deleteEvents(tx: EntityManager, endpointId: number): Promise<void> {
  for (let count = DELETED_AT_ONCE; count === DELETED_AT_ONCE; ) {
    const rows = await run(
      tx,
      sql`delete from ingest_event where id in
        (select id from ingest_event where endpoint_id = ${endpointId} limit ${DELETED_AT_ONCE}) returning 1`,
    )
    count = rows.length
  }
}
