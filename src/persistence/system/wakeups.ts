import type { Orm } from '../orm.ts'
import { insertWakeupNotes } from '../processes.ts'

export interface SleepingProcess {
  workflow_id: string
  page_id: number
}

/** Takes the wake-ups that are due to be sent, and sets when they are due again. No lock outlives the statement. */
export function takeUnsent(system: Orm, now: Date, limit: number): Promise<SleepingProcess[]> {
  return system.em.fork().execute<SleepingProcess[]>(
    `update wakeup w set attempts = w.attempts + 1,
        next_send_at = ?::timestamptz + power(2, least(w.attempts, 6)) * interval '1 second'
      from (select id from wakeup where next_send_at <= ? order by next_send_at limit ? for update skip locked) due
      where w.id = due.id returning w.workflow_id, w.page_id`,
    [now, now, limit],
  )
}

/**
 * Marks the wake-ups of these processes as sent. Wake-ups that no step has read are sent again, later if more wake-ups wait:
 * most of them wait for their turn, and more signals would only make the queue longer.
 */
export async function markSent(system: Orm, workflowIds: string[], sentAt: Date): Promise<void> {
  await system.em.fork().execute(
    `update wakeup set sent_at = ?, attempts = greatest(attempts, 1),
        next_send_at = greatest(next_send_at, ?::timestamptz + interval '2 seconds'
          + interval '25 milliseconds' * (select count(*) from (select from wakeup limit 10000) as waiting))
      where workflow_id in (${workflowIds.map(() => '?').join(', ')}) and created_at <= ?`,
    [sentAt, sentAt, ...workflowIds, sentAt],
  )
}

/** Keeps the relay from sending the wake-ups of these processes until a moment, because their steps are about to begin. */
export async function claimWakeups(system: Orm, workflowIds: string[], until: Date): Promise<void> {
  await system.em
    .fork()
    .execute(
      `update wakeup set next_send_at = ? where workflow_id = any(?::text[]) and sent_at is null and next_send_at < ?`,
      [until, `{${workflowIds.map((id) => `"${id}"`).join(',')}}`, until],
    )
}

const insertWakeups = `insert into wakeup (page_id, workflow_id, reason, created_at, attempts, next_send_at)
  select p.page_id, p.workflow_id, ?, ?::timestamptz, 0, ?::timestamptz`
const unread = 'exists (select 1 from wakeup w where w.workflow_id = p.workflow_id)'

/**
 * Wakes processes whose due moment has passed without a step or whose workflow has no timer for the due moment, as far as
 * they have no wake-up yet.
 */
export function wakeOverdue(system: Orm, before: Date, now: Date, reason: string, limit: number): Promise<number> {
  return system.em.fork().transactional(async (tx) => {
    // A statement of its own: a concurrent sweep reads the wake-ups of the sweep before only in a later statement.
    await tx.execute(`select pg_advisory_xact_lock(hashtextextended('upbeat sweep', 0))`)
    const woken = await tx.execute<unknown[]>(
      `with woken as (${insertWakeups} from (select * from process p where state = 'waiting' and (until < ? or until < coalesce(timer_at, 'infinity')) and not ${unread}
          order by until limit ? for update skip locked) p returning *),
        noted as (${insertWakeupNotes('woken')}) select 1 from woken`,
      [reason, now, now, before, limit],
    )
    return woken.length
  })
}

const TEMPORAL_KEY = 'temporal.namespace_id'

/** Wakes every process with a due moment if the Temporal database is new. Of concurrent callers only one wakes. */
export async function wakeAllFor(system: Orm, temporalId: string, now: Date, reason: string): Promise<number> {
  const woken = await system.em.fork().execute<unknown[]>(
    `with news as (insert into installation (key, value, updated_at) values (?, ?, ?::timestamptz)
        on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at
          where installation.value <> excluded.value returning key),
      -- A new Temporal database has no timers.
      forgotten as (update process p set timer_at = null from news where p.timer_at is not null),
      woken as (${insertWakeups} from process p, news where p.state <> 'done' and p.until is not null and not ${unread}
        returning *),
      noted as (${insertWakeupNotes('woken')}) select 1 from woken`,
    [TEMPORAL_KEY, temporalId, now, reason, now, now],
  )
  return woken.length
}

export async function wakeupBacklog(system: Orm): Promise<{ waiting: number; oldest: Date | null }> {
  const [row] = await system.em
    .fork()
    .execute<{ waiting: number; oldest: Date | string | null }[]>(
      'select count(*)::int as waiting, min(created_at) as oldest from wakeup',
    )
  return { waiting: row?.waiting ?? 0, oldest: row?.oldest ? new Date(row.oldest) : null }
}
