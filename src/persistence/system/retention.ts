import type { Orm } from '../orm.ts'
import { idList } from '../rows.ts'
import { run, type Statement, sql } from '../sql.ts'

/** How many rows one statement deletes: a larger statement would block others. */
const BATCH = 5000
const BEATS_AT_ONCE = 50

/** Deletes in batches until a batch is not full. `rows` deletes at most `BATCH` rows. */
async function prune(system: Orm, rows: Statement, first = sql``): Promise<number> {
  let deleted = 0
  for (;;) {
    const [row] = await run<{ count: number }>(
      system.em,
      sql`with ${first} gone as (${rows} returning 1) select count(*)::int as count from gone`,
    )
    deleted += row!.count
    if (row!.count < BATCH) return deleted
  }
}

/** The beats of the rows of a table, found by skipping through its primary key. */
const beatsIn = (table: Statement) => sql`with recursive seen as (
    (select beat_id from ${table} order by beat_id limit 1)
    union all select (select t.beat_id from ${table} t where t.beat_id > seen.beat_id order by t.beat_id limit 1)
      from seen where seen.beat_id is not null)
  select seen.beat_id, b.id is null as gone from seen left join beat b on b.id = seen.beat_id
  where seen.beat_id is not null`

interface OfBeats {
  table: Statement
  /** The rest of the primary key, and the condition of the rows. */
  key: Statement
  only: Statement
  isOld: Statement
}

/** Deletes by beat, because the rows have no index by time, which would cost each check more than this costs. */
async function pruneOfBeats(system: Orm, { table, key, only, isOld }: OfBeats): Promise<number> {
  const found = await run<{ beat_id: number; gone: boolean }>(system.em, beatsIn(table))
  const [gone = [], kept = []] = [true, false].map((is) =>
    found.filter((one) => one.gone === is).map((one) => one.beat_id),
  )
  const rowsOf = (beats: number[], which: Statement) => sql`delete from ${table} where (beat_id, ${key}) in
    (select beat_id, ${key} from ${table} where beat_id = any(${idList(beats)}::int[]) and ${only} and ${which}
      limit ${BATCH})`
  let deleted = 0
  for (let at = 0; at < kept.length; at += BEATS_AT_ONCE) {
    deleted += await prune(system, rowsOf(kept.slice(at, at + BEATS_AT_ONCE), isOld))
  }
  for (let at = 0; at < gone.length; at += BEATS_AT_ONCE) {
    deleted += await prune(system, rowsOf(gone.slice(at, at + BEATS_AT_ONCE), sql`true`))
  }
  return deleted
}

export const pruneResults = (system: Orm, before: Date) =>
  pruneOfBeats(system, {
    table: sql`beat_result`,
    key: sql`due_at, region`,
    only: sql`true`,
    isOld: sql`due_at < ${before}`,
  })

export const pruneRollups = (system: Orm, span: 60 | 3600, before: Date) =>
  pruneOfBeats(system, {
    table: sql`beat_rollup`,
    key: sql`span_seconds, at, region`,
    only: sql`span_seconds = ${span}`,
    isOld: sql`at < ${before}`,
  })

export const pruneAnswers = (system: Orm, before: Date) =>
  prune(
    system,
    sql`delete from idempotency_record where id in
      (select id from idempotency_record where created_at < ${before} limit ${BATCH})`,
  )

interface Ended {
  table: Statement
  /** The kind of process, and which records have ended. */
  kind: string
  ended: Statement
}

/** Deletes records that have ended, with their processes and notes. */
const pruneEnded = (system: Orm, { table, kind, ended }: Ended, before: Date) =>
  prune(
    system,
    sql`delete from ${table} where id in (select id from old)`,
    sql`old as (select id, page_id, ${`${kind}:`}::text || id as workflow_id from ${table} r
        where created_at < ${before} and ${ended} order by id limit ${BATCH}),
      notes as (delete from process_note where (page_id, workflow_id) in (select page_id, workflow_id from old)),
      processes as (delete from process where workflow_id in (select workflow_id from old)),`,
  )

/** Answered check requests. */
export const pruneChecks = (system: Orm, before: Date) =>
  pruneEnded(system, { table: sql`check_request`, kind: 'check', ended: sql`answered_at is not null` }, before)

/** Turns of the agent, and the plans that have ended. */
export async function pruneTurns(system: Orm, before: Date): Promise<number> {
  const isOver = sql`status not in ('needs_input', 'ready', 'executing')`
  await pruneEnded(system, { table: sql`action_plan`, kind: 'plan', ended: isOver }, before)
  const hasNoPlan = sql`state = 'answered' and not exists
    (select from action_plan p where p.page_id = r.page_id and p.turn_id = r.id)`
  return pruneEnded(system, { table: sql`delegation_turn`, kind: 'delegation', ended: hasNoPlan }, before)
}

/** Readers of feeds that read their feed before. */
export const pruneFeedReaders = (system: Orm, before: Date) =>
  prune(
    system,
    sql`delete from feed_reader where (feed_id, reader) in
      (select feed_id, reader from feed_reader where seen_at < ${before} limit ${BATCH})`,
  )

/** Answers of pages that have no readers any more. */
export const pruneSharedReads = (system: Orm, before: Date) =>
  prune(
    system,
    sql`delete from shared_read where (page_id, key) in
      (select page_id, key from shared_read where making_until < ${before} limit ${BATCH})`,
  )

/** The rows before a moment. The ids of these tables grow with time, so the oldest rows have the lowest ids. */
const oldest = (table: Statement, before: Date) => sql`delete from ${table} where id in
  (select id from (select id, at from ${table} order by id limit ${BATCH}) first where at < ${before})`

export const pruneAudit = (system: Orm, before: Date) => prune(system, oldest(sql`audit_event`, before))
export const pruneNotes = (system: Orm, before: Date) => prune(system, oldest(sql`process_note`, before))

/** Events with their evaluations, the fingerprints that ended before, and the tokens that ended before. */
export async function pruneEvents(system: Orm, before: Date): Promise<number> {
  const batch = (table: Statement, only: Statement) =>
    prune(system, sql`delete from ${table} where ctid in (select ctid from ${table} where ${only} limit ${BATCH})`)
  await batch(sql`beat_fingerprint`, sql`stage = 'healthy' and last_event_at < ${before}`)
  await batch(sql`ingest_token`, sql`ended_at < ${before}`)
  return batch(sql`ingest_event`, sql`received_at < ${before} and state = 'evaluated'`)
}

/** Deliveries first: a notification may have many thousand. */
export async function pruneNotifications(system: Orm, before: Date): Promise<number> {
  const isOver = sql`e.created_at < ${before} and e.state in ('done', 'no_recipient')`
  await prune(
    system,
    sql`delete from delivery where id in (select d.id from notification_event e
      join delivery d on d.page_id = e.page_id and d.notification_id = e.id where ${isOver} limit ${BATCH})`,
  )
  return prune(
    system,
    sql`delete from notification_event where id in
      (select e.id from notification_event e where ${isOver} limit ${BATCH})`,
  )
}
