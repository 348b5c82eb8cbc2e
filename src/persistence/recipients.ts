import type { EntityManager } from '@mikro-orm/postgresql'
import { idList } from './rows.ts'
import { run, type Statement, sql } from './sql.ts'

/** What decides whether a subscription asks for an event. */
export interface Wanted {
  key: string
  isPublic: boolean
  /** The affected items and the items above them. */
  scope: number[]
  /** The affected items alone. */
  items: number[]
}

/** Whether readers get the view `v`, and it allows the address of the subscriber `s`. A webhook belongs to an admin. */
const allows = sql`v.enabled and coalesce(v.expires_at > now(), true) and (s.channel <> 'email' or case v.access_mode
    when 'allowed_emails' then v.allowed_emails @> to_jsonb(s.address)
    when 'allowed_domains' then v.allowed_domains @> to_jsonb(split_part(s.address, '@', -1)) else true end)`

interface AskedBy {
  key: Statement
  isPublic: Statement
  scope: Statement
  items: Statement
}

/** Whether a subscription of the subscriber `s` asks for the event that these expressions describe. */
export const asking = ({ key, isPublic, scope, items }: AskedBy) =>
  sql`exists (select from subscription n where n.page_id = s.page_id and n.subscriber_id = s.id and n.enabled
    and (n.internal or ${isPublic}) and n.event_kinds @> to_jsonb(${key})
    and (n.scope_kind = 'page'
      or exists (select from jsonb_array_elements_text(n.items) i where i::int = any (${scope}))
      or exists (select from custom_view v, jsonb_array_elements(v.items) i where v.page_id = n.page_id and v.id = n.view_id
        and ${allows} and (i->>'id')::int = any (case when v.include_descendants then ${scope} else ${items} end))))`

/** Whether a subscription of the subscriber `s` asks for this event. */
export const asks = ({ key, isPublic, scope, items }: Wanted) =>
  asking({
    key: sql`${key}::text`,
    isPublic: sql`${isPublic}::boolean`,
    scope: sql`${idList(scope)}::int[]`,
    items: sql`${idList(items)}::int[]`,
  })

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

/** Writes a delivery for each of the next subscribers whose subscriptions ask for the event. */
export async function expandDeliveries(
  tx: EntityManager,
  { pageId, notificationId, after, limit, now, due, digestAt, ...wanted }: Expansion,
): Promise<Expanded> {
  const moments = JSON.stringify(digestAt)
  const [row] = await run<Expanded & { seen: number }>(
    tx,
    sql`with s as (select id, page_id, channel, address, frequency, time_zone, state from subscriber
        where page_id = ${pageId} and id > ${after} order by id limit ${limit}),
      judged as (select s.*, case when s.state <> 'active' then 'subscriber_' || s.state
        when not ${asks(wanted)} then 'out_of_scope' end as left_out from s),
      written as (insert into delivery (page_id, notification_id, subscriber_id, channel, address, state, attempts,
          digest, next_attempt_at, created_at, updated_at)
        select page_id, ${notificationId}::bigint, id, channel, address, 'queued', '[]'::jsonb, frequency = 'daily',
          case when frequency = 'daily'
            then coalesce(${moments}::jsonb->>coalesce(time_zone, ''), ${moments}::jsonb->>'')::timestamptz
            else ${due}::timestamptz end, ${now}::timestamptz, ${now}::timestamptz
        from judged where left_out is null order by id
        on conflict do nothing returning digest)
      select (select max(id) from s) as last, (select count(*)::int from s) as seen,
        (select count(*)::int from written) as written, (select count(*)::int from written where digest) as digests,
        (select coalesce(jsonb_object_agg(left_out, count), '{}'::jsonb) from (select left_out, count(*)::int as count
          from judged where left_out is not null group by left_out) counted) as left_out`,
  )
  const { last, seen, ...counts } = row!
  return { ...counts, last: seen < limit ? null : last }
}

/** How many active subscribers ask for an event, by channel. */
export function countRecipients(
  tx: EntityManager,
  pageId: number,
  wanted: Wanted,
): Promise<{ channel: string; count: number }[]> {
  return run(
    tx,
    sql`select s.channel, count(*)::int as count from subscriber s
      where s.page_id = ${pageId} and s.state = 'active' and ${asks(wanted)} group by s.channel`,
  )
}

/** Whether a subscription of one subscriber asks for an event. */
export async function isWantedBy(
  tx: EntityManager,
  pageId: number,
  subscriberId: number,
  wanted: Wanted,
): Promise<boolean> {
  const rows = await run(
    tx,
    sql`select from subscriber s where s.page_id = ${pageId} and s.id = ${subscriberId} and ${asks(wanted)}`,
  )
  return rows.length > 0
}

/** The time zones of the subscribers with a daily mail; an empty name for subscribers without one. */
export async function digestZones(tx: EntityManager, pageId: number): Promise<string[]> {
  const rows = await run<{ zone: string }>(
    tx,
    sql`select distinct coalesce(time_zone, '') as zone from subscriber
      where page_id = ${pageId} and state = 'active' and frequency = 'daily'`,
  )
  return rows.map(({ zone }) => zone)
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

/** A delivery for each of these subscribers, whether or not a subscription asks for it. */
export async function addDeliveriesTo(
  tx: EntityManager,
  subscriberIds: number[],
  { pageId, notificationId, now, due }: Pick<NewDelivery, 'pageId' | 'notificationId' | 'now' | 'due'>,
): Promise<void> {
  await run(
    tx,
    sql`insert into delivery (page_id, notification_id, subscriber_id, channel, address, state, attempts, digest,
        next_attempt_at, created_at, updated_at)
      select page_id, ${notificationId}, id, channel, address, 'queued', '[]'::jsonb, false,
        ${due}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
      from subscriber where page_id = ${pageId} and id = any (${idList(subscriberIds)}::int[]) order by id
      on conflict do nothing`,
  )
}

/** One delivery that no subscription asks for; an address that has a delivery of the event gets no second one. */
export async function addDelivery(tx: EntityManager, one: NewDelivery): Promise<void> {
  const { pageId, notificationId, subscriberId, channel, address, now, due } = one
  await run(
    tx,
    sql`insert into delivery (page_id, notification_id, subscriber_id, channel, address, state, attempts, digest,
        next_attempt_at, created_at, updated_at)
      values (${pageId}, ${notificationId}, ${subscriberId}, ${channel}, ${address}, 'queued', '[]'::jsonb, false,
        ${due}, ${now}, ${now})
      on conflict do nothing`,
  )
}
