import type { EntityManager } from '@mikro-orm/postgresql'
import type { AttemptRow, DeliveryState } from './entities/delivery.ts'
import { isPublic } from './notifications.ts'
import { asking, asks, type Wanted } from './recipients.ts'
import { dateOf, idList } from './rows.ts'
import { run, type Statement, sql } from './sql.ts'

/** A delivery that is about to be tried, with the present facts of its subscriber. */
export interface ClaimedDelivery {
  id: number
  notification_id: number
  subscriber_id: number | null
  channel: 'email' | 'webhook'
  address: string
  tried: number
  due_at: Date
  /** Null without a subscriber, or of a deleted one. */
  subscriber_state: string | null
  shown_address: string | null
  locale: string | null
  time_zone: string | null
  confirmation_number: number | null
  previous_secret_until: Date | null
  /** Whether a subscription of the subscriber still asks for the event. */
  wanted: boolean
  subject_deleted: boolean
}

interface Claim {
  pageId: number
  limit: number
  now: Date
  until: Date
}

/** The records whose deletion ends their notifications, with their tables. */
const deletable = [
  [sql`incident`, sql`'incident'`],
  [sql`maintenance`, sql`'maintenance'`],
  [sql`maintenance_series`, sql`'series'`],
] as const

/** Whether the record that the event in `e` is about was deleted. */
const isSubjectDeleted = sql`(case e.subject_kind ${deletable
  .map(
    ([table, kind]) =>
      sql`when ${kind} then not exists (select from ${table} r where r.page_id = e.page_id and r.id = e.subject_id)`,
  )
  .reduce((all, one) => sql`${all} ${one}`)} else false end)`

const claimed = (due: Statement, wanted: Statement, until: Date) =>
  sql`with due as (${due} for no key update skip locked),
      claimed as (update delivery d set claimed_until = ${until} from due where d.id = due.id
        returning d.id, d.page_id, d.notification_id, d.subscriber_id, d.channel, d.address, d.attempts,
          d.next_attempt_at)
    select d.id::float8 as id, d.notification_id::float8 as notification_id, d.subscriber_id, d.channel, d.address,
      jsonb_array_length(d.attempts) as tried, d.next_attempt_at as due_at, s.state as subscriber_state, s.shown_address,
      s.locale, s.time_zone, s.confirmation_number, s.previous_secret_until, ${wanted} as wanted,
      ${isSubjectDeleted} as subject_deleted
    from claimed d join notification_event e on e.page_id = d.page_id and e.id = d.notification_id
      left join subscriber s on s.page_id = d.page_id and s.id = d.subscriber_id order by d.id`

const parsed = (rows: Readonly<ClaimedDelivery>[]): ClaimedDelivery[] =>
  rows.map((row) => ({ ...row, due_at: dateOf(row.due_at)!, previous_secret_until: dateOf(row.previous_secret_until) }))

/**
 * Takes due deliveries of a notification; no other process takes them until the claim ends. The number of the notification is
 * hidden from the planner: of a new one it expects a single delivery, and would read them all, sent ones included, for each claim.
 */
export async function claimDeliveries(
  tx: EntityManager,
  { pageId, limit, now, until }: Claim,
  { notificationId, channel, ...wanted }: Wanted & { notificationId: number; channel: string },
): Promise<ClaimedDelivery[]> {
  const due = sql`select id from delivery
    where page_id = ${pageId} and notification_id = (select ${notificationId}::bigint) and not digest
      and channel = ${channel} and next_attempt_at <= ${now} and coalesce(claimed_until, ${now}) <= ${now}
    order by next_attempt_at, id limit ${limit}`
  return parsed(await run<ClaimedDelivery>(tx, claimed(due, asks(wanted), until)))
}

const asksForEvent = asking({
  key: sql`e.key`,
  isPublic: isPublic(sql`e`),
  scope: sql`array(select i::int from jsonb_array_elements_text(e.content->'scope') i)`,
  items: sql`array(select case jsonb_typeof(i) when 'number' then i::int else (i->>'id')::int end
    from jsonb_array_elements(coalesce(e.content->'reached', e.content->'items')) i)`,
})

/** Takes the due deliveries that belong into the daily mails of some subscribers. */
export async function claimDigests(
  tx: EntityManager,
  { pageId, limit, now, until }: Claim,
  mostRows: number,
): Promise<ClaimedDelivery[]> {
  const due = sql`select d.id from delivery d where d.page_id = ${pageId} and d.digest and d.next_attempt_at <= ${now}
      and coalesce(d.claimed_until, ${now}) <= ${now}
      and d.subscriber_id in (select o.subscriber_id from delivery o where o.page_id = ${pageId} and o.digest
        and o.next_attempt_at <= ${now} and coalesce(o.claimed_until, ${now}) <= ${now}
        group by o.subscriber_id order by min(o.next_attempt_at), o.subscriber_id limit ${limit})
    order by d.subscriber_id, d.id limit ${mostRows}`
  return parsed(await run<ClaimedDelivery>(tx, claimed(due, asksForEvent, until)))
}

export interface DeliveryResult {
  id: number
  /** How many attempts there were before: a result of a forgotten claim changes nothing. */
  tried: number
  state: DeliveryState
  reason: string | null
  /** Null if nothing was tried. */
  attempt: AttemptRow | null
  next_attempt_at: string | null
}

/**
 * Stores the outcomes of attempts. The ids are all that finds the rows: a condition of the page would let the database read all
 * deliveries of the page, whose number it does not know while they are new. The arrays are hidden from the planner: a few short
 * ones at first would make it plan each later statement, too.
 */
export async function saveResults(em: EntityManager, results: DeliveryResult[], now: Date): Promise<void> {
  const column = <V>(read: (result: DeliveryResult) => V) => results.map(read)
  await run(
    em,
    sql`update delivery d set state = r.state, reason = r.reason, claimed_until = null, updated_at = ${now},
        next_attempt_at = r.next_attempt_at, sent_at = case when r.state = 'sent' then ${now} else d.sent_at end,
        attempts = case when r.attempt is null then d.attempts else d.attempts || r.attempt end
      from unnest((select ${idList(column(({ id }) => id))}::bigint[]),
          (select ${idList(column(({ tried }) => tried))}::int[]),
          (select ${column(({ state }) => state)}::text[]), (select ${column(({ reason }) => reason)}::text[]),
          (select ${column(({ attempt }) => attempt && JSON.stringify(attempt))}::jsonb[]),
          (select ${column(({ next_attempt_at }) => next_attempt_at)}::timestamptz[]))
        as r(id, tried, state, reason, attempt, next_attempt_at)
      where d.id = r.id and jsonb_array_length(d.attempts) = r.tried and d.next_attempt_at is not null`,
  )
}

/** Whether a notification has a delivery at all. */
export async function hasDeliveries(tx: EntityManager, pageId: number, notificationId: number): Promise<boolean> {
  const rows = await run(
    tx,
    sql`select 1 from delivery where page_id = ${pageId} and notification_id = ${notificationId} limit 1`,
  )
  return rows.length > 0
}

/** When the next attempt of a notification is due; null if every delivery has an end. */
export async function nextAttemptOf(tx: EntityManager, pageId: number, notificationId: number): Promise<Date | null> {
  const [row] = await run<{ next: Date | null }>(
    tx,
    sql`select min(greatest(next_attempt_at, claimed_until)) as next from delivery
      where page_id = ${pageId} and notification_id = ${notificationId} and next_attempt_at is not null and not digest`,
  )
  return dateOf(row!.next)
}

/** When the next daily mail of a page is due. */
export async function nextDigestOf(tx: EntityManager, pageId: number): Promise<Date | null> {
  const [row] = await run<{ next: Date | null }>(
    tx,
    sql`select min(greatest(next_attempt_at, claimed_until)) as next from delivery
      where page_id = ${pageId} and digest and next_attempt_at is not null`,
  )
  return dateOf(row!.next)
}

/** Moves what waits for the next daily mail of a subscriber. Answers whether anything waits. */
export async function moveDigestsOf(
  tx: EntityManager,
  { pageId, subscriberId, at, now }: { pageId: number; subscriberId: number; at: Date; now: Date },
): Promise<boolean> {
  const moved = await run(
    tx,
    sql`update delivery set next_attempt_at = ${at}, updated_at = ${now}
      where page_id = ${pageId} and subscriber_id = ${subscriberId} and digest and state = 'queued'
        and next_attempt_at is not null
      returning id`,
  )
  return moved.length > 0
}

/** How many daily mails are due, one for each subscriber, and how many notifications they have together. */
export async function dueDigestsOf(
  tx: EntityManager,
  pageId: number,
  now: Date,
): Promise<{ mails: number; notifications: number }> {
  const [row] = await run<{ mails: number; notifications: number }>(
    tx,
    sql`select count(distinct subscriber_id)::int as mails, count(*)::int as notifications from delivery
      where page_id = ${pageId} and digest and next_attempt_at <= ${now} and coalesce(claimed_until, ${now}) <= ${now}`,
  )
  return row!
}

/** Whether the record that a notification is about was deleted. */
export async function lostItsSubject(tx: EntityManager, pageId: number, notificationId: number): Promise<boolean> {
  const [row] = await run<{ deleted: boolean }>(
    tx,
    sql`select ${isSubjectDeleted} as deleted from notification_event e
      where e.page_id = ${pageId} and e.id = ${notificationId}`,
  )
  return row!.deleted
}

/**
 * Ends the deliveries of all notifications about a record that is deleted, and returns these notifications. What is being sent keeps
 * its outcome, and what is written later is withheld when it is claimed.
 */
export async function withdrawDeliveries(
  tx: EntityManager,
  pageId: number,
  { kind, id }: { kind: string; id: number },
  now: Date,
): Promise<number[]> {
  const rows = await run<{ id: number }>(
    tx,
    sql`with withdrawn as (update delivery d
      set state = 'suppressed', reason = 'subject_deleted', next_attempt_at = null, updated_at = ${now}
      from notification_event e where e.page_id = ${pageId} and e.subject_kind = ${kind} and e.subject_id = ${id}
        and d.page_id = e.page_id and d.notification_id = e.id and d.next_attempt_at is not null
        and coalesce(d.claimed_until, ${now}) <= ${now} returning d.notification_id as id)
      select distinct id::float8 as id from withdrawn order by 1`,
  )
  return rows.map(({ id }) => id)
}
