import type { EntityManager } from '@mikro-orm/postgresql'
import type { AttemptRow, DeliveryState } from './entities/delivery.ts'
import { isPublic } from './notifications.ts'
import { run } from './prepared.ts'

/** What decides whether a subscription asks for an event. */
export interface Wanted {
  key: string
  isPublic: boolean
  /** The affected items and the items above them. */
  scope: number[]
}

/** Whether a subscription of the subscriber `s` asks for the event. Parameters: the key, whether it is public, the items. */
const asks = (key: string, isPublic: string, scope: string) =>
  `exists (select from subscription n where n.page_id = s.page_id and n.subscriber_id = s.id and n.enabled
    and (n.internal or ${isPublic}) and n.event_kinds @> to_jsonb(${key})
    and (n.scope_kind = 'page'
      or exists (select from jsonb_array_elements_text(n.items) i where i::int = any (${scope}))))`

interface Expansion extends Wanted {
  pageId: number
  notificationId: number
  /** Only subscribers with a greater id. */
  after: number
  limit: number
  now: Date
  /** When the first attempt was due. */
  due: Date
  /** By time zone, and under an empty name for subscribers without one: when the next daily mail is due. */
  digestAt: Record<string, string>
}

interface Expanded {
  /** The last subscriber that was looked at, or null after the last one. */
  last: number | null
  written: number
  digests: number
  /** How many subscribers get no delivery, by the reason. */
  left_out: Record<string, number>
}

/**
 * Writes a delivery for each of the next subscribers whose subscriptions ask for the event.
 */
export async function expandDeliveries(
  tx: EntityManager,
  { pageId, notificationId, key, isPublic, scope, after, limit, now, due, digestAt }: Expansion,
): Promise<Expanded> {
  const sql = `with s as (select id, page_id, channel, address, frequency, time_zone, state from subscriber
      where page_id = $1 and id > $2 order by id limit $3),
    judged as (select s.*, case when s.state <> 'active' then 'subscriber_' || s.state
      when not ${asks('$6::text', '$7::boolean', '$8::int[]')} then 'out_of_scope' end as left_out from s),
    written as (insert into delivery (page_id, notification_id, subscriber_id, channel, address, state, attempts, digest,
        next_attempt_at, created_at, updated_at)
      select page_id, $4, id, channel, address, 'queued', '[]'::jsonb, frequency = 'daily',
        case when frequency = 'daily' then coalesce($9::jsonb->>coalesce(time_zone, ''), $9::jsonb->>'')::timestamptz
          else $10::timestamptz end, $5, $5
      from judged where left_out is null order by id
      on conflict do nothing returning digest)
    select (select max(id) from s) as last, (select count(*)::int from s) as seen,
      (select count(*)::int from written) as written, (select count(*)::int from written where digest) as digests,
      (select coalesce(jsonb_object_agg(left_out, count), '{}'::jsonb) from (select left_out, count(*)::int as count
        from judged where left_out is not null group by left_out) counted) as left_out`
  const parameters = [
    pageId,
    after,
    limit,
    notificationId,
    now,
    key,
    isPublic,
    idArray(scope),
    JSON.stringify(digestAt),
    due,
  ]
  const [row] = await run<Expanded & { seen: number }>(tx, sql, parameters)
  const { last, seen, ...counts } = row!
  return { ...counts, last: seen < limit ? null : last }
}

const idArray = (ids: number[]) => `{${ids.join(',')}}`

/** How many active subscribers ask for an event, by channel. */
export function countRecipients(
  tx: EntityManager,
  pageId: number,
  { key, isPublic, scope }: Wanted,
): Promise<{ channel: string; count: number }[]> {
  const sql = `select s.channel, count(*)::int as count from subscriber s
    where s.page_id = $1 and s.state = 'active' and ${asks('$2::text', '$3::boolean', '$4::int[]')} group by s.channel`
  return run(tx, sql, [pageId, key, isPublic, idArray(scope)])
}

/** The time zones of the subscribers with a daily mail; an empty name for subscribers without one. */
export async function digestZones(tx: EntityManager, pageId: number): Promise<string[]> {
  const sql = `select distinct coalesce(time_zone, '') as zone from subscriber
    where page_id = $1 and state = 'active' and frequency = 'daily'`
  return (await run<{ zone: string }>(tx, sql, [pageId])).map(({ zone }) => zone)
}

interface NewDelivery {
  pageId: number
  notificationId: number
  subscriberId: number | null
  channel: string
  address: string
  now: Date
  due: Date
}

/** One delivery that no subscription asks for; an address that has a delivery of the event gets no second one. */
export async function addDelivery(tx: EntityManager, one: NewDelivery): Promise<void> {
  const sql = `insert into delivery (page_id, notification_id, subscriber_id, channel, address, state, attempts, digest,
      next_attempt_at, created_at, updated_at)
    values ($1, $2, $3, $4, $5, 'queued', '[]'::jsonb, false, $7, $6, $6) on conflict do nothing`
  await run(tx, sql, [one.pageId, one.notificationId, one.subscriberId, one.channel, one.address, one.now, one.due])
}

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

/** Moments of a raw statement are texts. */
const dateOf = (text: unknown): Date | null => (text === null ? null : new Date(text as string))

const parsed = (rows: ClaimedDelivery[]): ClaimedDelivery[] =>
  rows.map((row) => ({ ...row, due_at: dateOf(row.due_at)!, previous_secret_until: dateOf(row.previous_secret_until) }))

/** Takes due deliveries of a notification; no other process takes them until the claim ends. */
export async function claimDeliveries(
  tx: EntityManager,
  { pageId, limit, now, until }: Claim,
  { notificationId, channel, key, isPublic, scope }: Wanted & { notificationId: number; channel: string },
): Promise<ClaimedDelivery[]> {
  const due = `select id from delivery where page_id = $1 and notification_id = $5 and not digest and channel = $6
    and next_attempt_at <= $2 and coalesce(claimed_until, $2) <= $2 order by next_attempt_at, id limit $4`
  const sql = claimed(due, asks('$7::text', '$8::boolean', '$9::int[]'))
  return parsed(await run(tx, sql, [pageId, now, until, limit, notificationId, channel, key, isPublic, idArray(scope)]))
}

const SCOPE_OF_EVENT = `array(select i::int from jsonb_array_elements_text(e.content->'scope') i)`

/** Takes the due deliveries that belong into the daily mails of some subscribers. */
export async function claimDigests(
  tx: EntityManager,
  { pageId, limit, now, until }: Claim,
  mostInOne: number,
): Promise<ClaimedDelivery[]> {
  const due = `select d.id from delivery d where d.page_id = $1 and d.digest and d.next_attempt_at <= $2
      and coalesce(d.claimed_until, $2) <= $2
      and d.subscriber_id in (select o.subscriber_id from delivery o where o.page_id = $1 and o.digest
        and o.next_attempt_at <= $2 and coalesce(o.claimed_until, $2) <= $2
        group by o.subscriber_id order by min(o.next_attempt_at), o.subscriber_id limit $4)
    order by d.subscriber_id, d.id limit ${mostInOne}`
  return parsed(await run(tx, claimed(due, asks('e.key', isPublic('e'), SCOPE_OF_EVENT)), [pageId, now, until, limit]))
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

/** The role may be one that sees all pages. */
export async function saveResults(
  em: EntityManager,
  pageId: number,
  results: DeliveryResult[],
  now: Date,
): Promise<void> {
  const sql = `update delivery d set state = r.state, reason = r.reason, claimed_until = null, updated_at = $2,
      next_attempt_at = r.next_attempt_at, sent_at = case when r.state = 'sent' then $2 else d.sent_at end,
      attempts = case when r.attempt is null then d.attempts else d.attempts || r.attempt end
    from jsonb_to_recordset($1::jsonb) as r(id bigint, tried int, state text, reason text, attempt jsonb, next_attempt_at timestamptz)
    where d.page_id = $3 and d.id = r.id and jsonb_array_length(d.attempts) = r.tried and d.next_attempt_at is not null`
  await run(em, sql, [JSON.stringify(results), now, pageId])
}

/** When the next attempt of a notification is due, and whether any of its deliveries has no end yet. */
export async function nextAttemptOf(tx: EntityManager, pageId: number, notificationId: number): Promise<Date | null> {
  const sql = `select min(greatest(next_attempt_at, claimed_until)) as next from delivery
    where page_id = $1 and notification_id = $2 and next_attempt_at is not null and not digest`
  const [row] = await run<{ next: Date | null }>(tx, sql, [pageId, notificationId])
  return dateOf(row!.next)
}

export async function nextDigestOf(tx: EntityManager, pageId: number): Promise<Date | null> {
  const sql = `select min(greatest(next_attempt_at, claimed_until)) as next from delivery
    where page_id = $1 and digest and next_attempt_at is not null`
  const [row] = await run<{ next: Date | null }>(tx, sql, [pageId])
  return dateOf(row!.next)
}

export async function countsOf(
  tx: EntityManager,
  pageId: number,
  notificationIds: number[],
): Promise<{ notification_id: number; state: DeliveryState; reason: string | null; count: number }[]> {
  const sql = `select notification_id::float8 as notification_id, state, reason, count(*)::int as count from delivery
    where page_id = $1 and notification_id = any ($2::bigint[]) group by notification_id, state, reason
    order by notification_id, state, reason`
  return run(tx, sql, [pageId, idArray(notificationIds)])
}

interface EventFilters {
  key?: string | undefined
  kind?: string | undefined
  id?: number | undefined
  state?: string | undefined
  /** Also events that were not to be sent. */
  withheld: boolean
  inApp: boolean
  unread?: boolean | undefined
  before?: number | undefined
  limit: number
}

/** The ids of events, newest first, and how many there are in all. */
export async function findEvents(
  tx: EntityManager,
  pageId: number,
  { key, kind, id, state, withheld, inApp, unread, before, limit }: EventFilters,
): Promise<{ ids: { id: number; read_at: Date | null }[]; total: number }> {
  const join = inApp
    ? `join delivery d on d.page_id = e.page_id and d.notification_id = e.id and d.channel = 'in_app'`
    : ''
  const where = `e.page_id = $1 and ($2::text is null or e.key = $2) and ($3::text is null or e.subject_kind = $3)
    and ($4::int is null or e.subject_id = $4) and ($5::text is null or e.state = $5) and ($6 or e.withheld is null)
    ${unread === undefined || !inApp ? '' : `and d.read_at is ${unread ? '' : 'not'} null`}`
  const parameters = [pageId, key ?? null, kind ?? null, id ?? null, state ?? null, withheld]
  const ids = await run<{ id: number; read_at: Date | null }>(
    tx,
    `select e.id::float8 as id, ${inApp ? 'd.read_at' : 'null::timestamptz as read_at'} from notification_event e ${join}
      where ${where} and ($7::bigint is null or e.id < $7) order by e.id desc limit $8`,
    [...parameters, before ?? null, limit],
  )
  const [count] = await run<{ total: number }>(
    tx,
    `select count(*)::int as total from notification_event e ${join} where ${where}`,
    parameters,
  )
  return { ids: ids.map((row) => ({ ...row, read_at: dateOf(row.read_at) })), total: count!.total }
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
