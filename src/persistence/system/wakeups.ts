import type { EntityManager } from '@mikro-orm/postgresql'
import type { Orm } from '../orm.ts'
import { insertWakeupNotes } from '../processes.ts'
import { run, runUnprepared, sql } from '../sql.ts'
import { inSystemTransaction } from '../transactions.ts'

export interface SleepingProcess {
  workflow_id: string
  page_id: number
}

/**
 * Takes the wake-ups that are due to be sent, all or without those of notifications, and sets when they are due again. No lock
 * outlives the statement.
 */
export function takeUnsent(
  system: Orm,
  now: Date,
  limit: number,
  withoutNotifications = false,
): Promise<SleepingProcess[]> {
  return runUnprepared<SleepingProcess>(
    system.em,
    sql`update wakeup w set attempts = w.attempts + 1,
        next_send_at = ${now}::timestamptz + power(2, least(w.attempts, 6)) * interval '1 second'
      from (select id from wakeup where next_send_at <= ${now}
          and not (${withoutNotifications} and starts_with(workflow_id, 'notification:'))
        order by next_send_at limit ${limit} for update skip locked) due
      where w.id = due.id returning w.workflow_id, w.page_id`,
  )
}

/**
 * Marks the wake-ups of these processes as sent. Wake-ups that no step has read are sent again, later if more wake-ups wait:
 * most of them wait for their turn, and more signals would only make the queue longer.
 */
export async function markSent(system: Orm, workflowIds: string[], sentAt: Date): Promise<void> {
  await runUnprepared(
    system.em,
    sql`update wakeup set sent_at = ${sentAt}, attempts = greatest(attempts, 1),
        next_send_at = greatest(next_send_at, ${sentAt}::timestamptz + interval '2 seconds'
          + interval '25 milliseconds' * (select count(*) from (select from wakeup limit 10000) as waiting))
      where workflow_id = any(${workflowIds}::text[]) and created_at <= ${sentAt}`,
  )
}

/** Keeps the relay from sending the wake-ups of these processes until a moment, because their steps are about to begin. */
export async function claimWakeups(system: Orm, workflowIds: string[], until: Date): Promise<void> {
  await runUnprepared(
    system.em,
    sql`update wakeup set next_send_at = ${until}
      where workflow_id = any(${workflowIds}::text[]) and sent_at is null and next_send_at < ${until}`,
  )
}

/** Wake-ups of the processes `p`, which follow. */
const insertWakeups = (reason: string, now: Date) =>
  sql`insert into wakeup (page_id, workflow_id, reason, created_at, attempts, next_send_at)
    select p.page_id, p.workflow_id, ${reason}, ${now}::timestamptz, 0, ${now}::timestamptz`
const isUnread = sql`exists (select 1 from wakeup w where w.workflow_id = p.workflow_id)`

/** One sweep at a time. `now` is the moment at which the lock is held: the database may have been away until then. */
function inSweep<T>(system: Orm, clock: () => Date, work: (tx: EntityManager, now: Date) => Promise<T>): Promise<T> {
  return inSystemTransaction(system, async (tx) => {
    // A statement of its own: a concurrent sweep reads the wake-ups of the sweep before only in a later statement.
    await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('upbeat sweep', 0))`)
    return await work(tx, clock())
  })
}

/**
 * Wakes processes whose due moment has passed without a step or whose workflow has no timer for the due moment, as far as
 * they have no wake-up yet.
 */
export function wakeOverdue(
  system: Orm,
  { clock, patienceMs }: { clock: () => Date; patienceMs: number },
  reason: string,
  limit: number,
): Promise<number> {
  return inSweep(system, clock, async (tx, now) => {
    const before = new Date(now.getTime() - patienceMs)
    const woken = await runUnprepared(
      tx,
      sql`with woken as (${insertWakeups(reason, now)} from (select * from process p where state = 'waiting'
            and (until < ${before} or until < coalesce(timer_at, 'infinity')) and not ${isUnread}
            order by until limit ${limit} for update skip locked) p
          returning page_id, workflow_id, reason, created_at),
        noted as (${insertWakeupNotes(sql`woken`)}) select 1 from woken`,
    )
    return woken.length
  })
}

const TEMPORAL_KEY = 'temporal.namespace_id'

/** Wakes every process with a due moment if the Temporal database is new. Of concurrent callers only one wakes. */
export function wakeAllFor(system: Orm, temporalId: string, clock: () => Date, reason: string): Promise<number> {
  return inSweep(system, clock, async (tx, now) => {
    const woken = await runUnprepared(
      tx,
      sql`with news as (insert into installation (key, value, updated_at)
          values (${TEMPORAL_KEY}, ${temporalId}, ${now})
          on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at
            where installation.value <> excluded.value returning key),
        -- A new Temporal database has no timers.
        forgotten as (update process p set timer_at = null from news where p.timer_at is not null),
        woken as (${insertWakeups(reason, now)} from process p, news
          where p.state <> 'done' and p.until is not null and not ${isUnread}
          returning page_id, workflow_id, reason, created_at),
        noted as (${insertWakeupNotes(sql`woken`)}) select 1 from woken`,
    )
    return woken.length
  })
}

export async function wakeupBacklog(system: Orm): Promise<{ waiting: number; oldest: Date | null }> {
  const [row] = await run<{ waiting: number; oldest: Date | string | null }>(
    system.em,
    sql`select count(*)::int as waiting, min(created_at) as oldest from wakeup`,
  )
  return { waiting: row?.waiting ?? 0, oldest: row?.oldest ? new Date(row.oldest) : null }
}
