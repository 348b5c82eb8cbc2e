import type { EntityManager } from '@mikro-orm/postgresql'
import type { DeliveryState } from './entities/delivery.ts'
import { dateOf, idList } from './rows.ts'
import { run, sql } from './sql.ts'

/** How many deliveries of each notification have each state and reason. */
export async function countsOf(
  tx: EntityManager,
  pageId: number,
  notificationIds: number[],
): Promise<{ notification_id: number; state: DeliveryState; reason: string | null; count: number }[]> {
  return run(
    tx,
    sql`select notification_id::float8 as notification_id, state, reason, count(*)::int as count from delivery
      where page_id = ${pageId} and notification_id = any (${idList(notificationIds)}::bigint[])
      group by notification_id, state, reason order by notification_id, state, reason`,
  )
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
  filters: EventFilters,
): Promise<{ ids: { id: number; read_at: Date | null }[]; total: number }> {
  const { key = null, kind = null, id = null, state = null, withheld, inApp, unread, before = null, limit } = filters
  const events = inApp
    ? sql`notification_event e
        join delivery d on d.page_id = e.page_id and d.notification_id = e.id and d.channel = 'in_app'`
    : sql`notification_event e`
  const isRead = unread ? sql`d.read_at is null` : sql`d.read_at is not null`
  const matches = sql`e.page_id = ${pageId} and (${key}::text is null or e.key = ${key})
    and (${kind}::text is null or e.subject_kind = ${kind}) and (${id}::int is null or e.subject_id = ${id})
    and (${state}::text is null or e.state = ${state}) and (${withheld} or e.withheld is null)
    and ${unread === undefined || !inApp ? sql`true` : isRead}`
  const ids = await run<{ id: number; read_at: Date | null }>(
    tx,
    sql`select e.id::float8 as id, ${inApp ? sql`d.read_at` : sql`null::timestamptz as read_at`} from ${events}
      where ${matches} and (${before}::bigint is null or e.id < ${before}) order by e.id desc limit ${limit}`,
  )
  const [count] = await run<{ total: number }>(tx, sql`select count(*)::int as total from ${events} where ${matches}`)
  return { ids: ids.map((row) => ({ ...row, read_at: dateOf(row.read_at) })), total: count!.total }
}
