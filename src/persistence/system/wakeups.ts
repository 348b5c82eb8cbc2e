import type { Orm } from '../orm.ts'

export interface SleepingProcess {
  workflow_id: string
  page_id: number
}

/** Takes the wake-ups whose turn it is to be sent (again), and sets their next turn; no lock outlives the statement. */
export function takeUnsent(system: Orm, now: Date, limit: number): Promise<SleepingProcess[]> {
  return system.em.fork().execute<SleepingProcess[]>(
    `update wakeup w set attempts = w.attempts + 1,
        next_send_at = ?::timestamptz + power(2, least(w.attempts, 6)) * interval '1 second'
      from (select id from wakeup where next_send_at <= ? order by next_send_at limit ? for update skip locked) due
      where w.id = due.id returning w.workflow_id, w.page_id`,
    [now, now, limit],
  )
}

/** The processes were told. Their wake-ups stay until a step has read them; unless that happens, they are sent again. */
export async function markSent(system: Orm, workflowIds: string[], sentAt: Date): Promise<void> {
  await system.em.fork().execute(
    `update wakeup set sent_at = ?, attempts = greatest(attempts, 1),
        next_send_at = greatest(next_send_at, ?::timestamptz + interval '2 seconds')
      where workflow_id in (${workflowIds.map(() => '?').join(', ')}) and created_at <= ?`,
    [sentAt, sentAt, ...workflowIds, sentAt],
  )
}

/** Processes whose due moment has passed while nobody looked. */
export function overdue(system: Orm, before: Date, limit: number): Promise<SleepingProcess[]> {
  return system.em
    .fork()
    .execute<SleepingProcess[]>(
      `select workflow_id, page_id from process where state = 'waiting' and until < ? order by until limit ?`,
      [before, limit],
    )
}

/** Every process that still waits for something: a new Temporal knows none of them. */
export function unfinished(system: Orm): Promise<SleepingProcess[]> {
  return system.em.fork().execute<SleepingProcess[]>(`select workflow_id, page_id from process where state <> 'done'`)
}

/** One wake-up for each of these that has none yet: several sweeps at once say it once. */
export async function addWakeups(system: Orm, processes: SleepingProcess[], reason: string, now: Date): Promise<void> {
  await system.em.fork().execute(
    `insert into wakeup (page_id, workflow_id, reason, created_at, attempts, next_send_at)
      select p.page_id, p.workflow_id, ?, ?, 0, ? from process p
      where p.workflow_id = any(?::text[]) and not exists (select 1 from wakeup w where w.workflow_id = p.workflow_id)`,
    [reason, now, now, `{${processes.map((p) => `"${p.workflow_id}"`).join(',')}}`],
  )
}

export async function wakeupBacklog(system: Orm): Promise<{ waiting: number; oldest: Date | null }> {
  const [row] = await system.em
    .fork()
    .execute<{ waiting: number; oldest: Date | string | null }[]>(
      'select count(*)::int as waiting, min(created_at) as oldest from wakeup',
    )
  return { waiting: row?.waiting ?? 0, oldest: row?.oldest ? new Date(row.oldest) : null }
}
