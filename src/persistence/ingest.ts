import type { EntityManager } from '@mikro-orm/postgresql'
import { run } from './prepared.ts'

/** The statements of the evaluation of events, each for a whole batch. */

export interface PendingEvent {
  id: number
  received_at: Date
  body: string
  /** In bytes. */
  size: number
  headers: Record<string, string[]>
  evaluated_up_to: number | null
}

const pending = `select id::float8 as id, received_at, body, size, headers, evaluated_up_to from (
    select *, sum(size) over (order by id) as bytes from (
      select id, received_at, body, headers, size, evaluated_up_to from ingest_event
        where endpoint_id = $1 and state = 'pending' order by id limit $2
    ) first
  ) counted where bytes - size < $3 order by id`

/** The next events of an endpoint, in the order of their acceptance: at least one, up to a number and a size. */
export async function pendingEvents(
  tx: EntityManager,
  endpointId: number,
  most: { events: number; bytes: number },
): Promise<PendingEvent[]> {
  const rows = await run<PendingEvent>(tx, pending, [endpointId, most.events, most.bytes])
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
  await run(
    tx,
    `update ingest_event e set state = n.state, evaluated_up_to = n.evaluated_up_to,
        redacted = coalesce(n.redacted, e.redacted), confirmation_url = coalesce(n.confirmation_url, e.confirmation_url)
      from unnest($1::bigint[], $2::text[], $3::int[], $4::text[], $5::text[])
        as n (id, state, evaluated_up_to, redacted, confirmation_url) where e.id = n.id`,
    [
      events.map(({ id }) => id),
      events.map(({ state }) => state),
      events.map(({ evaluated_up_to }) => evaluated_up_to),
      events.map(({ redacted }) => redacted),
      events.map(({ confirmation_url }) => confirmation_url),
    ],
  )
}

export interface NewEvaluation {
  page_id: number
  event_id: number
  trigger_id: number
  trigger_version: number
  element: number
  outcome: string
  leaf: string | null
  stage: string | null
  fingerprint: string | null
  external_event_id: string | null
  observed_at: Date | null
  explanation: string
  transitions: { beat_id: number; number: number }[]
}

const evaluationColumns =
  'page_id, event_id, trigger_id, trigger_version, element, outcome, leaf, stage, fingerprint, external_event_id, observed_at, explanation, transitions'

export async function insertEvaluations(tx: EntityManager, evaluations: NewEvaluation[]): Promise<void> {
  if (evaluations.length === 0) return
  await run(
    tx,
    `insert into event_evaluation (${evaluationColumns})
      select ${evaluationColumns} from jsonb_populate_recordset(null::event_evaluation, $1::jsonb)`,
    [JSON.stringify(evaluations)],
  )
}

/** Which of these event ids a trigger has evaluated before, as `trigger:event id`. */
export async function seenEventIds(tx: EntityManager, ids: [number, string][]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await run<{ key: string }>(
    tx,
    `select distinct e.trigger_id || ':' || e.external_event_id as key
      from unnest($1::int[], $2::text[]) as i (trigger_id, external_event_id)
        join event_evaluation e on e.trigger_id = i.trigger_id and e.external_event_id = i.external_event_id`,
    [ids.map(([triggerId]) => triggerId), ids.map(([, eventId]) => eventId)],
  )
  return rows.map(({ key }) => key)
}

export interface StoredFingerprint {
  endpoint_id: number
  beat_id: number
  fingerprint: string
  trigger_id: number
  stage: string
  since: Date
  observed_at: Date
  event_id: number
  last_event_at: Date
  silent_at: Date | null
}

const fingerprintColumns =
  'endpoint_id, beat_id, fingerprint, trigger_id, stage, since, observed_at, event_id::float8 as event_id, last_event_at, silent_at'

/** The open fingerprints of these beats, and all that are named. */
export async function fingerprintsOf(
  tx: EntityManager,
  beatIds: number[],
  named: { endpointId: number; fingerprints: string[] },
): Promise<StoredFingerprint[]> {
  if (beatIds.length === 0) return []
  return run<StoredFingerprint>(
    tx,
    `select ${fingerprintColumns} from beat_fingerprint
      where beat_id = any($1::int[]) and (stage <> 'healthy' or (endpoint_id = $2 and fingerprint = any($3::text[])))`,
    [beatIds, named.endpointId, named.fingerprints],
  )
}

export async function saveFingerprints(tx: EntityManager, pageId: number, states: StoredFingerprint[]): Promise<void> {
  if (states.length === 0) return
  const columns =
    'endpoint_id, beat_id, fingerprint, trigger_id, stage, since, observed_at, event_id, last_event_at, silent_at'
  await run(
    tx,
    `insert into beat_fingerprint (page_id, ${columns})
      select page_id, ${columns} from jsonb_populate_recordset(null::beat_fingerprint, $1::jsonb)
      on conflict (page_id, endpoint_id, beat_id, fingerprint) do update set trigger_id = excluded.trigger_id,
        stage = excluded.stage, since = excluded.since, observed_at = excluded.observed_at,
        event_id = excluded.event_id, last_event_at = excluded.last_event_at, silent_at = excluded.silent_at`,
    [JSON.stringify(states.map((state) => ({ page_id: pageId, ...state })))],
  )
}

/** The open fingerprints of an endpoint whose silence timeout has passed. */
export const silentFingerprints = (tx: EntityManager, endpointId: number, now: Date): Promise<StoredFingerprint[]> =>
  run<StoredFingerprint>(
    tx,
    `select ${fingerprintColumns} from beat_fingerprint where endpoint_id = $1 and silent_at <= $2::timestamptz order by silent_at`,
    [endpointId, now],
  )

export async function nextSilence(tx: EntityManager, endpointId: number): Promise<Date | null> {
  const [row] = await run<{ at: string | Date | null }>(
    tx,
    'select min(silent_at) as at from beat_fingerprint where endpoint_id = $1 and silent_at is not null',
    [endpointId],
  )
  return row?.at ? new Date(row.at) : null
}

export interface TriggerCount {
  id: number
  matched: number
  last_matched_at: Date | null
}

export async function countMatches(tx: EntityManager, counts: TriggerCount[]): Promise<void> {
  const matched = counts.filter((count) => count.matched > 0)
  if (matched.length === 0) return
  await run(
    tx,
    `update event_trigger t set match_count = t.match_count + n.matched, last_matched_at = n.at
      from unnest($1::int[], $2::int[], $3::timestamptz[]) as n (id, matched, at) where t.id = n.id`,
    [matched.map(({ id }) => id), matched.map((count) => count.matched), matched.map((count) => count.last_matched_at)],
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
    `select id::float8 as id, received_at, body, headers from (
        select *, sum(size) over (order by id desc) as bytes from (
          select id, received_at, body, headers, size from ingest_event where endpoint_id = $1 order by id desc limit $2
        ) newest
      ) counted where bytes - size < $3 order by id desc`,
    [endpointId, most.events, most.bytes],
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
    `select id::float8 as id from ingest_event where endpoint_id = $1
        and ($2::timestamptz is null or received_at >= $2) and ($3::timestamptz is null or received_at < $3)
      order by ingest_event.id desc limit $4`,
    [endpointId, from, to, limit],
  )
  const oldestFirst = ids.map(({ id }) => id).reverse()
  for (let start = 0; start < oldestFirst.length; start += READ_AT_ONCE) {
    const part = oldestFirst.slice(start, start + READ_AT_ONCE)
    const rows = await run<WindowEvent>(
      tx,
      `select id::float8 as id, received_at, case when redacted is null then body end as body, redacted, headers
        from ingest_event where id = any($1::bigint[]) order by ingest_event.id`,
      [part],
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
      `delete from ingest_event where id in (select id from ingest_event where endpoint_id = $1 limit $2) returning 1`,
      [endpointId, DELETED_AT_ONCE],
    )
    count = rows.length
  }
}
