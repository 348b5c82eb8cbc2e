import type { EntityManager } from '@mikro-orm/postgresql'
import { idList } from './rows.ts'
import { runUnprepared, type Statement, sql } from './sql.ts'

export interface Note {
  cause: string
  message: string
}

export interface NewNote extends Note {
  workflow_id: string
}

interface ProcessState {
  workflow_id: string
  page_id: number
  kind: string
  subject_id: number
  state: 'waiting' | 'done'
  waiting_for: string
  until: Date | null
  /** Whether the workflow took the step and sets its timer to `until`. */
  byWorkflow: boolean
  /** When the scan of a relay sends a wake-up that was not sent. */
  firstScanAt: Date
  now: Date
  notes: Note[]
}

interface Taken {
  wakeups: { reason: string; created_at: Date }[]
  /** The open requests. Later requests are answered by the step of their own wake-up. */
  requests: number[]
}

/** The note of each wake-up in `from`, written together with the wake-up, so that a cause is noted before its effects. */
export const insertWakeupNotes = (from: Statement) =>
  sql`insert into process_note (page_id, workflow_id, at, cause, message)
    select page_id, workflow_id, created_at, 'wake-up', 'woken by ' || reason from ${from} where reason <> ''`

/** Deletes the wake-ups before the step reads facts: facts that are written later come with a new wake-up. */
export async function takeWakeups(tx: EntityManager, workflowId: string): Promise<Taken> {
  const rows = await runUnprepared<{ id: number; reason: string | null; created_at: string | Date }>(
    tx,
    sql`with woken as (
        delete from wakeup where workflow_id = ${workflowId} returning id::float8 as id, reason, created_at)
      select id, reason, created_at from woken
      union all select id::float8, null, created_at from process_request
        where workflow_id = ${workflowId} and answered_at is null
      order by id`,
  )
  const wakeups = rows.flatMap(({ reason, created_at }) =>
    reason === null ? [] : [{ reason, created_at: new Date(created_at) }],
  )
  return { wakeups, requests: rows.filter((row) => row.reason === null).map((row) => row.id) }
}

/**
 * Saves the process and its notes in one statement. For a step without the workflow, returns whether the workflow needs an
 * earlier timer; a wake-up without a reason then makes the workflow set the timer.
 */
export async function saveProcess(tx: EntityManager, process: ProcessState): Promise<boolean> {
  const { workflow_id, page_id, kind, subject_id, state, waiting_for, until, byWorkflow, firstScanAt, now, notes } =
    process
  const [row] = await runUnprepared<{ needs_timer: boolean }>(
    tx,
    sql`with saved as (insert into process
          (workflow_id, page_id, kind, subject_id, state, waiting_for, until, timer_at, started_at, updated_at)
        values (${workflow_id}, ${page_id}, ${kind}, ${subject_id}, ${state}, ${waiting_for}, ${until},
          ${byWorkflow ? until : null}, ${now}, ${now})
        on conflict (workflow_id) do update set state = excluded.state, waiting_for = excluded.waiting_for,
          until = excluded.until, updated_at = excluded.updated_at, problem = null,
          timer_at = case when ${byWorkflow} then excluded.timer_at else process.timer_at end
        returning until < coalesce(timer_at, 'infinity') as needs_timer),
      woken as (insert into wakeup (page_id, workflow_id, reason, created_at, attempts, next_send_at)
        select ${page_id}::int, ${workflow_id}, '', ${now}, 0, ${firstScanAt} from saved where needs_timer),
      noted as (insert into process_note (page_id, workflow_id, at, cause, message)
        select ${page_id}::int, ${workflow_id}, ${now}, note.cause, note.message
          from unnest(${notes.map(({ cause }) => cause)}::text[], ${notes.map(({ message }) => message)}::text[])
            as note (cause, message))
      select coalesce(needs_timer, false) as needs_timer from saved`,
  )
  return row?.needs_timer ?? false
}

interface FailedProcess extends Pick<ProcessState, 'workflow_id' | 'page_id' | 'kind' | 'subject_id' | 'now'> {
  problem: string
}

/** Saves that the step of a process failed. `problem_since` stays if an earlier step had failed already. */
export async function saveProblem(tx: EntityManager, process: FailedProcess): Promise<void> {
  const { workflow_id, page_id, kind, subject_id, problem, now } = process
  await runUnprepared(
    tx,
    sql`insert into process
        (workflow_id, page_id, kind, subject_id, state, waiting_for, started_at, updated_at, problem, problem_since)
      values (${workflow_id}, ${page_id}, ${kind}, ${subject_id}, 'waiting', 'the retry of the failed step',
        ${now}, ${now}, ${problem}, ${now})
      on conflict (workflow_id) do update set problem = excluded.problem,
        problem_since = case when process.problem is null then excluded.problem_since else process.problem_since end`,
  )
}

/** Answers the requests with the process row that the step has written. */
export async function answerRequests(tx: EntityManager, requests: number[], now: Date): Promise<void> {
  if (requests.length === 0) return
  await runUnprepared(
    tx,
    sql`update process_request r set answered_at = ${now}, answer = to_jsonb(p) - 'page_id'
      from process p where p.workflow_id = r.workflow_id and r.id = any(${idList(requests)}::bigint[])`,
  )
}
