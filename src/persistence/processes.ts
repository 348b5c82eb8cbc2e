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
  now: Date
  notes: Note[]
}

interface Taken {
  wakeups: { reason: string; created_at: Date }[]
  /** The questions that were asked before; later ones are left to the step that their own wake-up brings. */
  requests: number[]
}

/** Acknowledges: whatever is written after this statement is read by the step that follows it, or wakes it again. */
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

/** The process row and its notes in one statement. */
export async function saveProcess(tx: EntityManager, process: ProcessState): Promise<void> {
  const { notes, now } = process
  const noted =
    notes.length === 0
      ? ''
      : `, noted as (insert into process_note (page_id, workflow_id, at, cause, message)
          values ${notes.map(() => '(?, ?, ?::timestamptz, ?, ?)').join(', ')})`
  await tx.execute(
    `with saved as (insert into process
        (workflow_id, page_id, kind, subject_id, state, waiting_for, until, started_at, updated_at)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?)
        on conflict (workflow_id) do update set state = excluded.state, waiting_for = excluded.waiting_for,
          until = excluded.until, updated_at = excluded.updated_at)${noted} select 1`,
    [
      process.workflow_id,
      process.page_id,
      process.kind,
      process.subject_id,
      process.state,
      process.waiting_for,
      process.until,
      now,
      now,
      ...notes.flatMap((note) => [process.page_id, process.workflow_id, now, note.cause, note.message]),
    ],
  )
}

/** Whoever asked before this step reads its answer from the process row that the step has just written. */
export async function answerRequests(tx: EntityManager, requests: number[], now: Date): Promise<void> {
  if (requests.length === 0) return
  await tx.execute(
    `update process_request r set answered_at = ?, answer = to_jsonb(p) - 'page_id'
      from process p where p.workflow_id = r.workflow_id and r.id in (${requests.map(() => '?').join(', ')})`,
    [now, ...requests],
  )
}
