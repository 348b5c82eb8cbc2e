import type { EntityManager } from '@mikro-orm/postgresql'

export interface Note {
  cause: string
  message: string
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
export const insertWakeupNotes = (from: string) =>
  `insert into process_note (page_id, workflow_id, at, cause, message)
    select page_id, workflow_id, created_at, 'wake-up', 'woken by ' || reason from ${from} where reason <> ''`

/** Deletes the wake-ups before the step reads facts: facts that are written later come with a new wake-up. */
export async function takeWakeups(tx: EntityManager, workflowId: string): Promise<Taken> {
  const rows = await tx.execute<{ id: number; reason: string | null; created_at: string | Date }[]>(
    `with woken as (delete from wakeup where workflow_id = ? returning id::float8 as id, reason, created_at)
      select * from woken
      union all select id::float8, null, created_at from process_request where workflow_id = ? and answered_at is null
      order by id`,
    [workflowId, workflowId],
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
  const { notes, now, until, byWorkflow } = process
  const noted =
    notes.length === 0
      ? ''
      : `, noted as (insert into process_note (page_id, workflow_id, at, cause, message)
          values ${notes.map(() => '(?, ?, ?::timestamptz, ?, ?)').join(', ')})`
  const [row] = await tx.execute<{ needs_timer: boolean }[]>(
    `with saved as (insert into process
        (workflow_id, page_id, kind, subject_id, state, waiting_for, until, timer_at, started_at, updated_at)
        values (?, ?, ?, ?, ?, ?, ?::timestamptz, ?::timestamptz, ?, ?)
        on conflict (workflow_id) do update set state = excluded.state, waiting_for = excluded.waiting_for,
          until = excluded.until, updated_at = excluded.updated_at, problem = null,
          timer_at = case when ?::boolean then excluded.timer_at else process.timer_at end
        returning until < coalesce(timer_at, 'infinity') as needs_timer),
      woken as (insert into wakeup (page_id, workflow_id, reason, created_at, attempts, next_send_at)
        select ?, ?, '', ?::timestamptz, 0, ?::timestamptz from saved where needs_timer)${noted}
      select coalesce(needs_timer, false) as needs_timer from saved`,
    [
      process.workflow_id,
      process.page_id,
      process.kind,
      process.subject_id,
      process.state,
      process.waiting_for,
      until,
      byWorkflow ? until : null,
      now,
      now,
      byWorkflow,
      process.page_id,
      process.workflow_id,
      now,
      process.firstScanAt,
      ...notes.flatMap((note) => [process.page_id, process.workflow_id, now, note.cause, note.message]),
    ],
  )
  return row?.needs_timer ?? false
}

interface FailedProcess extends Pick<ProcessState, 'workflow_id' | 'page_id' | 'kind' | 'subject_id' | 'now'> {
  problem: string
}

/** Saves that the step of a process failed. `problem_since` stays if an earlier step had failed already. */
export async function saveProblem(tx: EntityManager, process: FailedProcess): Promise<void> {
  const { workflow_id, page_id, kind, subject_id, problem, now } = process
  await tx.execute(
    `insert into process (workflow_id, page_id, kind, subject_id, state, waiting_for, started_at, updated_at, problem, problem_since)
      values (?, ?, ?, ?, 'waiting', 'the retry of the failed step', ?, ?, ?, ?)
      on conflict (workflow_id) do update set problem = excluded.problem,
        problem_since = case when process.problem is null then excluded.problem_since else process.problem_since end`,
    [workflow_id, page_id, kind, subject_id, now, now, problem, now],
  )
}

/** Answers the requests with the process row that the step has written. */
export async function answerRequests(tx: EntityManager, requests: number[], now: Date): Promise<void> {
  if (requests.length === 0) return
  await tx.execute(
    `update process_request r set answered_at = ?, answer = to_jsonb(p) - 'page_id'
      from process p where p.workflow_id = r.workflow_id and r.id in (${requests.map(() => '?').join(', ')})`,
    [now, ...requests],
  )
}
