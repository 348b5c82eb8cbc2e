import type { Orm } from '../orm.ts'
import { run } from '../prepared.ts'
import { idList } from '../rows.ts'

/** How many rows one statement deletes: a larger statement would block others. */
const BATCH = 5000
const BEATS_AT_ONCE = 50

/** Deletes in batches until a batch is not full. The last parameter of `sql` is the limit of a batch. */
async function prune(system: Orm, sql: string, parameters: unknown[], first = ''): Promise<number> {
  let deleted = 0
  for (;;) {
    const rows = await run(
      system.em,
      `with ${first} gone as (${sql} returning 1) select count(*)::int as count from gone`,
      [...parameters, BATCH],
    )
    const { count } = rows[0] as { count: number }
    deleted += count
    if (count < BATCH) return deleted
  }
}

/** The beats of the rows of a table, found by skipping through its primary key. */
const beatsIn = (table: string) => `with recursive seen as (
    (select beat_id from ${table} order by beat_id limit 1)
    union all select (select t.beat_id from ${table} t where t.beat_id > seen.beat_id order by t.beat_id limit 1)
      from seen where seen.beat_id is not null)
  select seen.beat_id, b.id is null as gone from seen left join beat b on b.id = seen.beat_id
  where seen.beat_id is not null`

interface OfBeats {
  table: string
  /** The rest of the primary key, and the condition of the rows. */
  key: string
  only: string
  time: string
}

/** Deletes by beat, because the rows have no index by time, which would cost each check more than this costs. */
async function pruneOfBeats(system: Orm, { table, key, only, time }: OfBeats, before: Date): Promise<number> {
  const found = await run<{ beat_id: number; gone: boolean }>(system.em, beatsIn(table), [])
  const [gone = [], kept = []] = [true, false].map((is) =>
    found.filter((one) => one.gone === is).map((one) => one.beat_id),
  )
  const sql = (which: string) => `delete from ${table} where (beat_id, ${key}) in
    (select beat_id, ${key} from ${table} where beat_id = any($1::int[]) and ${only} and ${which} limit $3)`
  let deleted = 0
  for (let at = 0; at < kept.length; at += BEATS_AT_ONCE) {
    deleted += await prune(system, sql(`${time} < $2`), [idList(kept.slice(at, at + BEATS_AT_ONCE)), before])
  }
  for (let at = 0; at < gone.length; at += BEATS_AT_ONCE) {
    deleted += await prune(system, sql('$2::timestamptz is not null'), [
      idList(gone.slice(at, at + BEATS_AT_ONCE)),
      before,
    ])
  }
  return deleted
}

export const pruneResults = (system: Orm, before: Date) =>
  pruneOfBeats(system, { table: 'beat_result', key: 'due_at, region', only: 'true', time: 'due_at' }, before)

export const pruneRollups = (system: Orm, span: 60 | 3600, before: Date) =>
  pruneOfBeats(
    system,
    { table: 'beat_rollup', key: 'span_seconds, at, region', only: `span_seconds = ${span}`, time: 'at' },
    before,
  )

export const pruneAnswers = (system: Orm, before: Date) =>
  prune(
    system,
    'delete from idempotency_record where id in (select id from idempotency_record where created_at < $1 limit $2)',
    [before],
  )

interface Ended {
  table: string
  /** The kind of process, and which records have ended. */
  kind: string
  ended: string
}

/** Deletes records that have ended, with their processes and notes. */
const pruneEnded = (system: Orm, { table, kind, ended }: Ended, before: Date) =>
  prune(
    system,
    `delete from ${table} where id in (select id from old)`,
    [before],
    `old as (select id, page_id, '${kind}:' || id as workflow_id from ${table} r
        where created_at < $1 and ${ended} order by id limit $2),
      notes as (delete from process_note where (page_id, workflow_id) in (select page_id, workflow_id from old)),
      processes as (delete from process where workflow_id in (select workflow_id from old)),`,
  )

/** Answered check requests. */
export const pruneChecks = (system: Orm, before: Date) =>
  pruneEnded(system, { table: 'check_request', kind: 'check', ended: 'answered_at is not null' }, before)

/** Turns of the agent, and the plans that have ended. */
export async function pruneTurns(system: Orm, before: Date): Promise<number> {
  const isOver = `status not in ('needs_input', 'ready', 'executing')`
  await pruneEnded(system, { table: 'action_plan', kind: 'plan', ended: isOver }, before)
  const hasNoPlan = `state = 'answered' and not exists
    (select from action_plan p where p.page_id = r.page_id and p.turn_id = r.id)`
  return pruneEnded(system, { table: 'delegation_turn', kind: 'delegation', ended: hasNoPlan }, before)
}

/** Readers of feeds that read their feed before. */
export const pruneFeedReaders = (system: Orm, before: Date) =>
  prune(
    system,
    'delete from feed_reader where (feed_id, reader) in (select feed_id, reader from feed_reader where seen_at < $1 limit $2)',
    [before],
  )

/** Answers of pages that have no readers any more. */
export const pruneSharedReads = (system: Orm, before: Date) =>
  prune(
    system,
    'delete from shared_read where (page_id, key) in (select page_id, key from shared_read where making_until < $1 limit $2)',
    [before],
  )

/** The rows before a moment. The ids of these tables grow with time, so the oldest rows have the lowest ids. */
const oldest = (table: string) => `delete from ${table} where id in
  (select id from (select id, at from ${table} order by id limit $2) first where at < $1)`

export const pruneAudit = (system: Orm, before: Date) => prune(system, oldest('audit_event'), [before])
export const pruneNotes = (system: Orm, before: Date) => prune(system, oldest('process_note'), [before])

/** Events with their evaluations, the fingerprints that ended before, and the tokens that ended before. */
export async function pruneEvents(system: Orm, before: Date): Promise<number> {
  const batch = (table: string, only: string) =>
    prune(system, `delete from ${table} where ctid in (select ctid from ${table} where ${only} limit $2)`, [before])
  await batch('beat_fingerprint', `stage = 'healthy' and last_event_at < $1`)
  await batch('ingest_token', 'ended_at < $1')
  return batch('ingest_event', `received_at < $1 and state = 'evaluated'`)
}

const OLD_NOTIFICATIONS = `select id from notification_event where created_at < $1 and state in ('done', 'no_recipient')`

/** Deliveries first: a notification may have many thousand. */
export async function pruneNotifications(system: Orm, before: Date): Promise<number> {
  await prune(
    system,
    `delete from delivery where id in (select d.id from notification_event e
      join delivery d on d.page_id = e.page_id and d.notification_id = e.id
      where e.created_at < $1 and e.state in ('done', 'no_recipient') limit $2)`,
    [before],
  )
  return prune(system, `delete from notification_event where id in (${OLD_NOTIFICATIONS} limit $2)`, [before])
}
