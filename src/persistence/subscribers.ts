import type { EntityManager } from '@mikro-orm/postgresql'
import type { Subscriber } from './entities/subscriber.ts'
import type { Subscription } from './entities/subscription.ts'
import { run } from './prepared.ts'

type NewRow<T> = Omit<T, 'id' | symbol>

/** Inserts the rows of a JSON array, with the columns of the first row. */
async function insertAll<T>(tx: EntityManager, table: string, rows: object[], returned: string): Promise<T[]> {
  if (rows.length === 0) return []
  const columns = Object.keys(rows[0]!).join(', ')
  const sql = `insert into ${table} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${table}, $1::jsonb) returning ${returned}`
  return run<T>(tx, sql, [JSON.stringify(rows)])
}

export const insertSubscribers = (tx: EntityManager, rows: NewRow<Subscriber>[]) =>
  insertAll<Pick<Subscriber, 'id' | 'address'>>(tx, 'subscriber', rows, 'id, address')
export const insertSubscriptions = (tx: EntityManager, rows: NewRow<Subscription>[]) =>
  insertAll(tx, 'subscription', rows, 'id')

export type StoredSubscriber = Pick<Subscriber, 'id' | 'address' | 'state' | 'locale'>

/** Locks the subscribers with these addresses, in one order, so that two imports do not wait for each other. */
export const lockByEmail = (tx: EntityManager, addresses: string[]): Promise<StoredSubscriber[]> =>
  run<StoredSubscriber>(
    tx,
    `select id, address, state, locale from subscriber
      where channel = 'email' and address in (select jsonb_array_elements_text($1::jsonb))
      order by id for no key update`,
    [JSON.stringify(addresses)],
  )

export type PublicSubscription = Pick<
  Subscription,
  'subscriber_id' | 'scope_kind' | 'items' | 'view_id' | 'event_kinds' | 'enabled'
>

/** The subscriptions of these subscribers, without those that an admin made for internal events. */
export const publicSubscriptions = (tx: EntityManager, ids: number[]): Promise<PublicSubscription[]> =>
  run<PublicSubscription>(
    tx,
    `select subscriber_id, scope_kind, items, view_id, event_kinds, enabled from subscription
      where not internal and subscriber_id in (select (jsonb_array_elements_text($1::jsonb))::int) order by id`,
    [JSON.stringify(ids)],
  )

export async function deletePublicSubscriptions(tx: EntityManager, ids: number[]): Promise<void> {
  const sql = `delete from subscription
    where not internal and subscriber_id in (select (jsonb_array_elements_text($1::jsonb))::int)`
  if (ids.length > 0) await run(tx, sql, [JSON.stringify(ids)])
}

export interface SubscriberChange {
  id: number
  locale: string | null
  confirmed: boolean
}

export async function changeSubscribers(tx: EntityManager, changes: SubscriberChange[], now: Date): Promise<void> {
  const sql = `update subscriber s set version = s.version + 1, updated_at = $2, locale = c.locale,
      state = case when c.confirmed then 'active' else s.state end,
      confirmed_at = case when c.confirmed then $2 else s.confirmed_at end
    from jsonb_to_recordset($1::jsonb) as c(id int, locale text, confirmed boolean) where s.id = c.id`
  if (changes.length > 0) await run(tx, sql, [JSON.stringify(changes), now])
}
