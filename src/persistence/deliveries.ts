import type { EntityManager } from '@mikro-orm/postgresql'
import type { AttemptRow, DeliveryState } from './entities/delivery.ts'
import { isPublic } from './notifications.ts'
import { run } from './prepared.ts'
import { asks, type Wanted } from './recipients.ts'
import { dateOf, idList } from './rows.ts'

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
}

interface Claim {
  pageId: number
  limit: number
  now: Date
  until: Date
}

const claimed = (due: string, wanted: string) => `with due as (${due} for no key update skip locked),
    claimed as (update delivery d set claimed_until = $3 from due where d.id = due.id
      returning d.id, d.page_id, d.notification_id, d.subscriber_id, d.channel, d.address, d.attempts, d.next_attempt_at)
    select d.id::float8 as id, d.notification_id::float8 as notification_id, d.subscriber_id, d.channel, d.address,
      jsonb_array_length(d.attempts) as tried, d.next_attempt_at as due_at, s.state as subscriber_state, s.shown_address,
      s.locale, s.time_zone, s.confirmation_number, s.previous_secret_until, ${wanted} as wanted
    from claimed d join notification_event e on e.page_id = d.page_id and e.id = d.notification_id
      left join subscriber s on s.page_id = d.page_id and s.id = d.subscriber_id order by d.id`

const parsed = (rows: ClaimedDelivery[]): ClaimedDelivery[] =>
  rows.map((row) => ({ ...row, due_at: dateOf(row.due_at)!, previous_secret_until: dateOf(row.previous_secret_until) }))

/** Takes due deliveries of a notification; no other process takes them until the claim ends. */
export async function claimDeliveries(
  tx: EntityManager,
  { pageId, limit, now, until }: Claim,
  { notificationId, channel, key, isPublic, scope, items }: Wanted & { notificationId: number; channel: string },
): Promise<ClaimedDelivery[]> {
  const due = `select id from delivery where page_id = $1 and notification_id = $5 and not digest and channel = $6
    and next_attempt_at <= $2 and coalesce(claimed_until, $2) <= $2 order by next_attempt_at, id limit $4`
  const wanted = asks({ key: '$7::text', isPublic: '$8::boolean', scope: '$9::int[]', items: '$10::int[]' })
  const event = [notificationId, channel, key, isPublic, idList(scope), idList(items)]
  return parsed(await run(tx, claimed(due, wanted), [pageId, now, until, limit, ...event]))
}

const EVENT = {
  key: 'e.key',
  isPublic: isPublic('e'),
  scope: `array(select i::int from jsonb_array_elements_text(e.content->'scope') i)`,
  items: `array(select (i->>'id')::int from jsonb_array_elements(e.content->'items') i)`,
}

/** Takes the due deliveries that belong into the daily mails of some subscribers. */
export async function claimDigests(
  tx: EntityManager,
  { pageId, limit, now, until }: Claim,
  mostRows: number,
): Promise<ClaimedDelivery[]> {
  const due = `select d.id from delivery d where d.page_id = $1 and d.digest and d.next_attempt_at <= $2
      and coalesce(d.claimed_until, $2) <= $2
      and d.subscriber_id in (select o.subscriber_id from delivery o where o.page_id = $1 and o.digest
        and o.next_attempt_at <= $2 and coalesce(o.claimed_until, $2) <= $2
        group by o.subscriber_id order by min(o.next_attempt_at), o.subscriber_id limit $4)
    order by d.subscriber_id, d.id limit ${mostRows}`
  return parsed(await run(tx, claimed(due, asks(EVENT)), [pageId, now, until, limit]))
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
 * deliveries of the page, whose number it does not know while they are new.
 */
export async function saveResults(em: EntityManager, results: DeliveryResult[], now: Date): Promise<void> {
  const sql = `update delivery d set state = r.state, reason = r.reason, claimed_until = null, updated_at = $1,
      next_attempt_at = r.next_attempt_at, sent_at = case when r.state = 'sent' then $1 else d.sent_at end,
      attempts = case when r.attempt is null then d.attempts else d.attempts || r.attempt end
    from unnest($2::bigint[], $3::int[], $4::text[], $5::text[], $6::jsonb[], $7::timestamptz[])
      as r(id, tried, state, reason, attempt, next_attempt_at)
    where d.id = r.id and jsonb_array_length(d.attempts) = r.tried and d.next_attempt_at is not null`
  const column = <V>(read: (result: DeliveryResult) => V) => results.map(read)
  await run(em, sql, [
    ...[now, idList(column(({ id }) => id)), idList(column(({ tried }) => tried))],
    ...[column(({ state }) => state), column(({ reason }) => reason)],
    column(({ attempt }) => attempt && JSON.stringify(attempt)),
    column(({ next_attempt_at }) => next_attempt_at),
  ])
}

/** When the next attempt of a notification is due; null if every delivery has an end. */
export async function nextAttemptOf(tx: EntityManager, pageId: number, notificationId: number): Promise<Date | null> {
  const sql = `select min(greatest(next_attempt_at, claimed_until)) as next from delivery
    where page_id = $1 and notification_id = $2 and next_attempt_at is not null and not digest`
  const [row] = await run<{ next: Date | null }>(tx, sql, [pageId, notificationId])
  return dateOf(row!.next)
}

/** When the next daily mail of a page is due. */
export async function nextDigestOf(tx: EntityManager, pageId: number): Promise<Date | null> {
  const sql = `select min(greatest(next_attempt_at, claimed_until)) as next from delivery
    where page_id = $1 and digest and next_attempt_at is not null`
  const [row] = await run<{ next: Date | null }>(tx, sql, [pageId])
  return dateOf(row!.next)
}

/** Moves what waits for the next daily mail of a subscriber. Answers whether anything waits. */
export async function moveDigestsOf(
  tx: EntityManager,
  { pageId, subscriberId, at, now }: { pageId: number; subscriberId: number; at: Date; now: Date },
): Promise<boolean> {
  const sql = `update delivery set next_attempt_at = $3, updated_at = $4
    where page_id = $1 and subscriber_id = $2 and digest and state = 'queued' and next_attempt_at is not null returning id`
  return (await run(tx, sql, [pageId, subscriberId, at, now])).length > 0
}

/** How many daily mails are due, one for each subscriber, and how many notifications they have together. */
export async function dueDigestsOf(
  tx: EntityManager,
  pageId: number,
  now: Date,
): Promise<{ mails: number; notifications: number }> {
  const sql = `select count(distinct subscriber_id)::int as mails, count(*)::int as notifications from delivery
    where page_id = $1 and digest and next_attempt_at <= $2 and coalesce(claimed_until, $2) <= $2`
  const [row] = await run<{ mails: number; notifications: number }>(tx, sql, [pageId, now])
  return row!
}

/** Ends the deliveries of all notifications about a record that is deleted. */
export async function withdrawDeliveries(
  tx: EntityManager,
  pageId: number,
  { kind, id }: { kind: string; id: number },
  now: Date,
): Promise<void> {
  const sql = `update delivery d set state = 'suppressed', reason = 'subject_deleted', next_attempt_at = null, updated_at = $4
    from notification_event e where e.page_id = $1 and e.subject_kind = $2 and e.subject_id = $3
      and d.page_id = e.page_id and d.notification_id = e.id and d.next_attempt_at is not null`
  await run(tx, sql, [pageId, kind, id, now])
}
