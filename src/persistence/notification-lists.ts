import type { EntityManager } from '@mikro-orm/postgresql'
import type { DeliveryState } from './entities/delivery.ts'
import { run } from './prepared.ts'
import { dateOf, idList } from './rows.ts'

/** How many deliveries of each notification have each state and reason. */
export async function countsOf(
  tx: EntityManager,
  pageId: number,
  notificationIds: number[],
): Promise<{ notification_id: number; state: DeliveryState; reason: string | null; count: number }[]> {
  const sql = `select notification_id::float8 as notification_id, state, reason, count(*)::int as count from delivery
    where page_id = $1 and notification_id = any ($2::bigint[]) group by notification_id, state, reason
    order by notification_id, state, reason`
  return run(tx, sql, [pageId, idList(notificationIds)])
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
