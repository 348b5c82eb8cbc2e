import type { EntityManager } from '@mikro-orm/postgresql'
import type { Subscriber } from './entities/subscriber.ts'
import type { Subscription } from './entities/subscription.ts'
import { idList } from './rows.ts'
import { identifier, joined, run, type Statement, sql } from './sql.ts'

type NewRow<T> = Omit<T, 'id' | symbol>

/** Inserts rows with the columns of the first row. */
async function insertAll<T>(tx: EntityManager, name: string, rows: object[], returned: Statement): Promise<T[]> {
  if (rows.length === 0) return []
  const [table, columns] = [identifier(name), joined(Object.keys(rows[0]!).map(identifier))]
  return run<T>(
    tx,
    sql`insert into ${table} (${columns}) select ${columns}
      from jsonb_populate_recordset(null::${table}, ${JSON.stringify(rows)}::jsonb) returning ${returned}`,
  )
}

export const insertSubscribers = (tx: EntityManager, rows: NewRow<Subscriber>[]) =>
  insertAll<Pick<Subscriber, 'id' | 'address'>>(tx, 'subscriber', rows, sql`id, address`)
export const insertSubscriptions = (tx: EntityManager, rows: NewRow<Subscription>[]) =>
  insertAll(tx, 'subscription', rows, sql`id`)

export type StoredSubscriber = Pick<Subscriber, 'id' | 'address' | 'state' | 'locale'>

/** Locks the subscribers with these addresses, in one order, so that two imports do not wait for each other. */
export const lockByEmail = (tx: EntityManager, addresses: string[]): Promise<StoredSubscriber[]> =>
  run<StoredSubscriber>(
    tx,
    sql`select id, address, state, locale from subscriber
      where channel = 'email' and address in (select jsonb_array_elements_text(${JSON.stringify(addresses)}::jsonb))
      order by id for no key update`,
  )

export type PublicSubscription = Pick<
  Subscription,
  'subscriber_id' | 'scope_kind' | 'items' | 'view_id' | 'event_kinds' | 'enabled'
>

/** The subscriptions of these subscribers, without those that an admin made for internal events. */
export const publicSubscriptions = (tx: EntityManager, ids: number[]): Promise<PublicSubscription[]> =>
  run<PublicSubscription>(
    tx,
    sql`select subscriber_id, scope_kind, items, view_id, event_kinds, enabled from subscription
      where not internal and subscriber_id = any(${idList(ids)}::int[]) order by id`,
  )

export async function deletePublicSubscriptions(tx: EntityManager, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  await run(tx, sql`delete from subscription where not internal and subscriber_id = any(${idList(ids)}::int[])`)
}

export interface SubscriberChange {
  id: number
  locale: string | null
  confirmed: boolean
}

export async function changeSubscribers(tx: EntityManager, changes: SubscriberChange[], now: Date): Promise<void> {
  if (changes.length === 0) return
  await run(
    tx,
    sql`update subscriber s set version = s.version + 1, updated_at = ${now}, locale = c.locale,
        state = case when c.confirmed then 'active' else s.state end,
        confirmed_at = case when c.confirmed then ${now} else s.confirmed_at end
      from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c(id int, locale text, confirmed boolean)
      where s.id = c.id`,
  )
}
