import type { EntityManager } from '@mikro-orm/postgresql'
import { identifier, joined, runUnprepared, type Statement, sql } from './sql.ts'

type ProcessState = 'waiting' | 'running' | 'done' | 'stuck'

export interface ProcessRow {
  workflow_id: string
  kind: string
  subject_id: number
  state: ProcessState
  waiting_for: string | null
  until: Date | null
  started_at: Date
  updated_at: Date
  oldest_wakeup_at: Date | null
  problem: string | null
}

export interface ProcessFilter {
  workflow_id?: string
  kind?: string
  subject_id?: number
  state?: ProcessState
}

/**
 * A process is stuck if its steps have failed for this long, or if a step has been due for this long and no process of the
 * page has taken a step since. While other processes take steps, it waits for its turn.
 */
const PATIENCE = sql`interval '1 minute'`

/**
 * The processes of the page with their oldest wake-ups, including processes that were woken and have not taken a step yet,
 * which have only wake-ups.
 */
const shown = (now: Date) => sql`
  with pending as not materialized (select workflow_id, min(created_at) as oldest from wakeup group by workflow_id),
  known as (
    select p.workflow_id, p.kind, p.subject_id, p.state, p.waiting_for, p.until, p.started_at, p.updated_at, w.oldest,
        p.problem, p.problem_since
      from process p left join pending w on w.workflow_id = p.workflow_id
    union all
    select w.workflow_id, split_part(w.workflow_id, ':', 1), substring(w.workflow_id from '\\d+$')::int, 'running', null,
        null, w.oldest, w.oldest, w.oldest, null, null
      from pending w where not exists (select 1 from process p where p.workflow_id = w.workflow_id)),
  idle as (select coalesce(max(updated_at), '-infinity') < ${now}::timestamptz - ${PATIENCE} as idle from process),
  shown as (
    select workflow_id, kind, subject_id, waiting_for, until, started_at, updated_at, oldest as oldest_wakeup_at, problem,
        case when problem is not null and problem_since < ${now}::timestamptz - ${PATIENCE} then 'stuck'
          when idle and least(oldest, case when state = 'waiting' then until end) < ${now}::timestamptz - ${PATIENCE}
            then 'stuck'
          when oldest is not null or (state = 'waiting' and until < ${now}::timestamptz) then 'running'
          else state end as state
      from known, idle)`

const conditions = (filter: ProcessFilter): Statement[] =>
  Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => sql`${identifier(column)} = ${value}`)

const where = (all: Statement[]) => (all.length > 0 ? sql`where ${joined(all, sql` and `)}` : sql``)

/** Newest first, after the row that `after` names. */
export async function readProcesses(
  tx: EntityManager,
  filter: ProcessFilter,
  { now, after, limit }: { now: Date; after?: { updated_at: Date; workflow_id: string }; limit: number },
): Promise<ProcessRow[]> {
  const following = after
    ? [sql`(updated_at, workflow_id) < (${after.updated_at}::timestamptz, ${after.workflow_id})`]
    : []
  const rows = await runUnprepared<ProcessRow>(
    tx,
    sql`${shown(now)} select * from shown ${where([...conditions(filter), ...following])}
      order by updated_at desc, workflow_id desc limit ${limit}`,
  )
  return rows.map((row) => ({
    ...row,
    until: row.until && new Date(row.until),
    started_at: new Date(row.started_at),
    updated_at: new Date(row.updated_at),
    oldest_wakeup_at: row.oldest_wakeup_at && new Date(row.oldest_wakeup_at),
  }))
}

export async function countProcesses(tx: EntityManager, filter: ProcessFilter, now: Date): Promise<number> {
  const [row] = await runUnprepared<{ count: number }>(
    tx,
    sql`${shown(now)} select count(*)::int as count from shown ${where(conditions(filter))}`,
  )
  return row!.count
}

interface NewRequest {
  page_id: number
  workflow_id: string
  kind: string
  now: Date
}

export async function openRequest(tx: EntityManager, request: NewRequest): Promise<number> {
  const [row] = await runUnprepared<{ id: number }>(
    tx,
    sql`insert into process_request (page_id, workflow_id, kind, input, created_at)
      values (${request.page_id}, ${request.workflow_id}, ${request.kind}, '{}'::jsonb, ${request.now})
      returning id::float8 as id`,
  )
  return row!.id
}

export async function isAnswered(tx: EntityManager, id: number): Promise<boolean> {
  const rows = await runUnprepared<unknown>(
    tx,
    sql`select 1 from process_request where id = ${id} and answered_at is not null`,
  )
  return rows.length > 0
}
