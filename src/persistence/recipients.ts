import type { EntityManager } from '@mikro-orm/postgresql'
import { run } from './prepared.ts'
import { idList } from './rows.ts'

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
const allows = `v.enabled and coalesce(v.expires_at > now(), true) and (s.channel <> 'email' or case v.access_mode
    when 'allowed_emails' then v.allowed_emails @> to_jsonb(s.address)
    when 'allowed_domains' then v.allowed_domains @> to_jsonb(split_part(s.address, '@', -1)) else true end)`

interface AskedBy {
  /** Expressions of SQL. */
  key: string
  isPublic: string
  scope: string
  items: string
}

/** Whether a subscription of the subscriber `s` asks for the event. */
export const asks = ({ key, isPublic, scope, items }: AskedBy) =>
  `exists (select from subscription n where n.page_id = s.page_id and n.subscriber_id = s.id and n.enabled
    and (n.internal or ${isPublic}) and n.event_kinds @> to_jsonb(${key})
    and (n.scope_kind = 'page'
      or exists (select from jsonb_array_elements_text(n.items) i where i::int = any (${scope}))
      or exists (select from custom_view v, jsonb_array_elements(v.items) i where v.page_id = n.page_id and v.id = n.view_id
        and ${allows} and (i->>'id')::int = any (case when v.include_descendants then ${scope} else ${items} end))))`

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
  { pageId, notificationId, key, isPublic, scope, items, after, limit, now, due, digestAt }: Expansion,
): Promise<Expanded> {
  const sql = `with s as (select id, page_id, channel, address, frequency, time_zone, state from subscriber
      where page_id = $1 and id > $2 order by id limit $3),
    judged as (select s.*, case when s.state <> 'active' then 'subscriber_' || s.state
      when not ${asks({ key: '$6::text', isPublic: '$7::boolean', scope: '$8::int[]', items: '$11::int[]' })} then 'out_of_scope' end as left_out from s),
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
    idList(scope),
    JSON.stringify(digestAt),
    due,
    idList(items),
  ]
  const [row] = await run<Expanded & { seen: number }>(tx, sql, parameters)
  const { last, seen, ...counts } = row!
  return { ...counts, last: seen < limit ? null : last }
}

/** How many active subscribers ask for an event, by channel. */
export function countRecipients(
  tx: EntityManager,
  pageId: number,
  { key, isPublic, scope, items }: Wanted,
): Promise<{ channel: string; count: number }[]> {
  const wanted = asks({ key: '$2::text', isPublic: '$3::boolean', scope: '$4::int[]', items: '$5::int[]' })
  const sql = `select s.channel, count(*)::int as count from subscriber s
    where s.page_id = $1 and s.state = 'active' and ${wanted} group by s.channel`
  return run(tx, sql, [pageId, key, isPublic, idList(scope), idList(items)])
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
