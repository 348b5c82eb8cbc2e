import type { Orm } from '../orm.ts'
import { run, sql } from '../sql.ts'

/** A call names a token and no page, so tokens and events are written across pages. */

export interface NewIngestEvent {
  /** The hash of the token. */
  hash: string
  body: string
  headers: string
  size: number
  deliveryKey: string | null
}

export type Verdict = 'accepted' | 'duplicate' | 'disabled' | 'expired' | 'unknown'

export interface StoredIngestEvent {
  verdict: Verdict
  endpointId?: number
  pageId?: number
  eventId?: number
}

interface Row {
  verdict: Verdict
  endpoint_id: number | null
  page_id: number | null
  event_id: number | null
}

const REPEATED_WITHIN_MS = 24 * 60 * 60 * 1000

/**
 * Checks the tokens and stores the events of one batch in one statement, which locks no endpoint: a change of an
 * endpoint or an evaluation never delays an event. The counts are locked in the order of their ids. The answers are in
 * the order of the events.
 */
export async function storeEvents(
  system: Orm,
  events: NewIngestEvent[],
  { now, firstScanAt }: { now: Date; firstScanAt: Date },
): Promise<StoredIngestEvent[]> {
  const column = <K extends keyof NewIngestEvent>(name: K) => events.map((event) => event[name])
  const rows = await run<Row>(
    system.em,
    sql`with
      input as (
        select n, hash, body, headers::jsonb as headers, size, delivery_key
          from unnest(${column('hash')}::text[], ${column('body')}::text[], ${column('headers')}::text[],
            ${column('size')}::int[], ${column('deliveryKey')}::text[]) with ordinality
              as i (hash, body, headers, size, delivery_key, n)
      ),
      checked as (
        select i.*, t.endpoint_id, t.page_id,
          case when t.hash is null then 'unknown'
            when t.expires_at <= ${now}::timestamptz or t.ended_at is not null then 'expired'
            when not e.enabled then 'disabled'
            else 'accepted' end as verdict
          from input i left join ingest_token t on t.hash = i.hash left join ingest_endpoint e on e.id = t.endpoint_id
      ),
      numbered as (
        select n, endpoint_id, page_id, body, headers, size, delivery_key, nextval('ingest_event_id_seq') as id
          from (select * from checked where verdict = 'accepted' order by n) c
      ),
      stored as (
        insert into ingest_event (id, page_id, endpoint_id, received_at, body, headers, size, delivery_key, state)
          select id, page_id, endpoint_id, ${now}::timestamptz, body, headers, size, delivery_key, 'pending'
            from numbered order by delivery_key, id
          on conflict (endpoint_id, delivery_key) where delivery_key is not null do nothing
          returning id, page_id, endpoint_id
      ),
      locked as (
        select c.endpoint_id, c.page_id, (select count(*) from stored s where s.endpoint_id = c.endpoint_id) as events
          from ingest_count c where c.endpoint_id in (select endpoint_id from stored)
          order by c.endpoint_id for no key update
      ),
      counted as (
        update ingest_count c set event_count = c.event_count + l.events, last_used_at = ${now}::timestamptz
          from locked l where c.endpoint_id = l.endpoint_id
      ),
      woken as (
        insert into wakeup (page_id, workflow_id, reason, created_at, attempts, next_send_at)
          select page_id, 'inbox:' || endpoint_id, '', ${now}::timestamptz, 0, ${firstScanAt}::timestamptz
            from (select distinct page_id, endpoint_id from stored) s
      )
      select c.n::int as n, c.verdict, c.endpoint_id, c.page_id, s.id::float8 as event_id
        from checked c left join numbered m on m.n = c.n left join stored s on s.id = m.id
        order by c.n`,
  )
  return Promise.all(
    rows.map((row, index) => {
      const { verdict, endpoint_id, page_id, event_id } = row
      const found = { endpointId: endpoint_id ?? undefined, pageId: page_id ?? undefined }
      if (verdict !== 'accepted') return { verdict, ...found }
      if (event_id !== null) return { verdict, ...found, eventId: event_id }
      return repeated(system, events[index]!, { ...row, endpoint_id: endpoint_id! }, { now, firstScanAt })
    }),
  )
}

/** The event that a repeated delivery names. The key of an event that is older than a day is free again. */
async function repeated(
  system: Orm,
  event: NewIngestEvent,
  { endpoint_id, page_id }: Row & { endpoint_id: number },
  moments: { now: Date; firstScanAt: Date },
): Promise<StoredIngestEvent> {
  const [first] = await run<{ id: number; received_at: string | Date }>(
    system.em,
    sql`select id::float8 as id, received_at from ingest_event
      where endpoint_id = ${endpoint_id} and delivery_key = ${event.deliveryKey}`,
  )
  if (first && new Date(first.received_at).getTime() > moments.now.getTime() - REPEATED_WITHIN_MS) {
    return { verdict: 'duplicate', endpointId: endpoint_id, pageId: page_id!, eventId: first.id }
  }
  if (first) await run(system.em, sql`update ingest_event set delivery_key = null where id = ${first.id}`)
  const [stored] = await storeEvents(system, [event], moments)
  return stored!
}

export interface FoundToken {
  verdict: Verdict
  endpointId?: number
}

/** Whether a token may send events now; for a request that is refused anyway. */
export async function checkToken(system: Orm, hash: string, now: Date): Promise<FoundToken> {
  const [row] = await run<{ endpoint_id: number; verdict: Verdict }>(
    system.em,
    sql`select t.endpoint_id,
        case when t.expires_at <= ${now}::timestamptz or t.ended_at is not null then 'expired'
          when not e.enabled then 'disabled' else 'accepted' end as verdict
      from ingest_token t join ingest_endpoint e on e.id = t.endpoint_id where t.hash = ${hash}`,
  )
  return row ? { verdict: row.verdict, endpointId: row.endpoint_id } : { verdict: 'unknown' }
}

export async function countRefusals(system: Orm, refused: Map<number, number>): Promise<void> {
  const entries = [...refused].sort(([a], [b]) => a - b)
  for (const [endpointId, count] of entries) {
    await run(
      system.em,
      sql`update ingest_count set refused_count = refused_count + ${count} where endpoint_id = ${endpointId}`,
    )
  }
}
