import type { EntityManager } from '@mikro-orm/postgresql'

interface EventRow {
  id: number
  item_id: number
  event_time: string
  status: string
  previous_status: string
}

interface ItemRow {
  id: number
  status: string
  before: string | null
  closed_from: string | null
}

/**
 * What is known of items from a moment on: their status before it, if they had an event, their events since, and from
 * when on nothing reaches them, as a status set by hand stands or they are archived.
 */
export async function eventsSince(tx: EntityManager, ids: number[], { since, now }: { since: Date; now: Date }) {
  const list = `{${ids.join(',')}}`
  const items = await tx.execute<ItemRow[]>(
    `select i.id, i.status,
        least(i.archived_at, case when i.override_until is null or i.override_until > ? then i.override_since end)
          as closed_from,
        (select e.status from status_event e
          where e.page_id = i.page_id and e.item_id = i.id and e.event_time < ?
          order by e.event_time desc, e.id desc limit 1) as before
      from hierarchy_item i where i.id = any(?::int[])`,
    [now, since, list],
  )
  const rows = await tx.execute<EventRow[]>(
    `select id, item_id, event_time, status, previous_status from status_event
      where item_id = any(?::int[]) and event_time >= ? order by event_time, id`,
    [list, since],
  )
  const events = Map.groupBy(
    rows.map((row) => ({ ...row, at: new Date(row.event_time).getTime() })),
    (row) => row.item_id,
  )
  return items.map((item) => ({
    ...item,
    closedFrom: item.closed_from === null ? undefined : new Date(item.closed_from).getTime(),
    events: events.get(item.id) ?? [],
  }))
}

interface RewrittenItem {
  id: number
  added: { at: number; status: string; previous_status: string }[]
  followed: { id: number; previous_status: string }[]
  /** The status that it has now, if that has changed. */
  status?: string
}

interface Rewriting {
  pageId: number
  now: Date
  cause: { kind: string; id: number | null }
  items: RewrittenItem[]
}

/** Writes what was learned of the past, in at most three statements however much it is. */
export async function rewriteEvents(tx: EntityManager, { pageId, now, cause, items }: Rewriting): Promise<void> {
  const added = items.flatMap(({ id, added }) =>
    added.map(({ at, ...event }) => ({ item_id: id, at: new Date(at), ...event })),
  )
  if (added.length > 0) {
    await tx.execute(
      `insert into status_event
          (page_id, item_id, status, previous_status, event_time, original_event_time, cause_kind, cause_id)
        select ?, item_id, status, previous_status, at, at, ?, ?
          from jsonb_to_recordset(?::jsonb) as e(item_id int, at timestamptz, status text, previous_status text)
          order by at, item_id`,
      [pageId, cause.kind, cause.id, JSON.stringify(added)],
    )
  }
  const followed = items.flatMap((item) => item.followed)
  if (followed.length > 0) {
    await tx.execute(
      `update status_event e set previous_status = f.previous_status
        from jsonb_to_recordset(?::jsonb) as f(id int, previous_status text) where e.id = f.id`,
      [JSON.stringify(followed)],
    )
  }
  const statuses = items.filter((item) => item.status !== undefined).map(({ id, status }) => ({ id, status }))
  if (statuses.length > 0) {
    await tx.execute(
      `update hierarchy_item i set status = s.status, version = i.version + 1, updated_at = ?
        from jsonb_to_recordset(?::jsonb) as s(id int, status text) where i.id = s.id`,
      [now, JSON.stringify(statuses)],
    )
  }
}
