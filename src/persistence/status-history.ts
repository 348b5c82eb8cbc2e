import type { EntityManager } from '@mikro-orm/postgresql'
import { insertStatusChanges } from './notifications.ts'
import { idList } from './rows.ts'
import { runUnprepared, sql } from './sql.ts'

interface EventRow {
  id: number
  item_id: number
  event_time: string
  status: string
  previous_status: string
  cause_kind: string
  cause_id: number | null
}

interface ItemRow {
  id: number
  parent_id: number | null
  status: string
  before: string | null
  after: string | null
  archived_at: string | null
  closed_from: string | null
}

interface Since {
  since: Date
  /** The last moment of interest; by default without an end. */
  until?: Date
  now: Date
}

const instant = (text: string | null) => (text === null ? undefined : new Date(text).getTime())

/**
 * The history of items from a moment on: their status before (of the last event before, else the previous status of the
 * first event since), their events since, and from when on no event applies because of an override or of the archive.
 */
export async function eventsSince(tx: EntityManager, ids: number[], { since, until, now }: Since) {
  const list = idList(ids)
  const items = await runUnprepared<ItemRow>(
    tx,
    sql`select i.id, i.parent_id, i.status, i.archived_at,
        least(i.archived_at, case when i.override_until is null or i.override_until > ${now} then i.override_since end)
          as closed_from,
        (select e.status from status_event e
          where e.page_id = i.page_id and e.item_id = i.id and e.event_time < ${since}
          order by e.event_time desc, e.id desc limit 1) as before,
        (select e.previous_status from status_event e
          where e.page_id = i.page_id and e.item_id = i.id and e.event_time >= ${since}
          order by e.event_time, e.id limit 1) as after
      from hierarchy_item i where i.id = any(${list}::int[])`,
  )
  const rows = await runUnprepared<EventRow>(
    tx,
    sql`select id, item_id, event_time, status, previous_status, cause_kind, cause_id from status_event
      where item_id = any(${list}::int[]) and event_time >= ${since}
        and event_time <= coalesce(${until ?? null}::timestamptz, 'infinity')
      order by event_time, id`,
  )
  const events = Map.groupBy(
    rows.map((row) => ({ ...row, at: new Date(row.event_time).getTime() })),
    (row) => row.item_id,
  )
  return items.map(({ archived_at, closed_from, before, after, ...item }) => ({
    ...item,
    before: before ?? after,
    archivedFrom: instant(archived_at),
    closedFrom: instant(closed_from),
    events: events.get(item.id) ?? [],
  }))
}

/** These items and their children. */
export async function withChildren(tx: EntityManager, ids: number[]): Promise<number[]> {
  const list = idList(ids)
  const rows = await runUnprepared<{ id: number }>(
    tx,
    sql`select id from hierarchy_item where id = any(${list}::int[]) or parent_id = any(${list}::int[])`,
  )
  return rows.map((row) => row.id)
}

export interface CorrectedBy {
  at: Date
  by: number | null
  note: string | null
}

/** Moves events to corrected times, and marks them as corrected. */
export async function moveEvents(tx: EntityManager, moved: { id: number; at: number }[], mark: CorrectedBy) {
  if (moved.length === 0) return
  const list = moved.map(({ id, at }) => ({ id, at: new Date(at) }))
  await runUnprepared(
    tx,
    sql`update status_event e
      set event_time = m.at, corrected_at = ${mark.at}, corrected_by = ${mark.by}, correction_note = ${mark.note}
      from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as m(id int, at timestamptz) where e.id = m.id`,
  )
}

export async function removeEvents(tx: EntityManager, ids: number[]): Promise<void> {
  if (ids.length > 0) await runUnprepared(tx, sql`delete from status_event where id = any(${idList(ids)}::int[])`)
}

/** Keeps for readers what a correction removes. */
export async function recordRemoved(tx: EntityManager, ids: number[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await runUnprepared(
    tx,
    sql`insert into removed_status_event (page_id, item_id, status, event_time, removed_at)
      select page_id, item_id, status, event_time, ${now} from status_event where id = any(${idList(ids)}::int[])`,
  )
}

interface RewrittenItem {
  id: number
  added: { at: number; status: string; previous_status: string }[]
  followed: { id: number; previous_status: string }[]
  /** The present status of the item, if it has changed. */
  status?: string
}

interface Rewriting {
  pageId: number
  now: Date
  cause: { kind: string; id: number | null }
  items: RewrittenItem[]
  /** Whether to write a notification for each item whose present status has changed. */
  notify?: boolean
}

/** Writes changes of the past, in at most four statements. */
export async function rewriteEvents(
  tx: EntityManager,
  { pageId, now, cause, items, notify = false }: Rewriting,
): Promise<void> {
  const added = items.flatMap(({ id, added }) =>
    added.map(({ at, ...event }) => ({ item_id: id, at: new Date(at), ...event })),
  )
  if (added.length > 0) {
    await runUnprepared(
      tx,
      sql`insert into status_event
          (page_id, item_id, status, previous_status, event_time, original_event_time, cause_kind, cause_id)
        select ${pageId}::int, item_id, status, previous_status, at, at, ${cause.kind}, ${cause.id}::int
          from jsonb_to_recordset(${JSON.stringify(added)}::jsonb)
            as e(item_id int, at timestamptz, status text, previous_status text)
          order by at, item_id`,
    )
  }
  const followed = items.flatMap((item) => item.followed)
  if (followed.length > 0) {
    await runUnprepared(
      tx,
      sql`update status_event e set previous_status = f.previous_status
        from jsonb_to_recordset(${JSON.stringify(followed)}::jsonb) as f(id int, previous_status text)
        where e.id = f.id`,
    )
  }
  const statuses = items.filter((item) => item.status !== undefined).map(({ id, status }) => ({ id, status }))
  if (statuses.length > 0) {
    await runUnprepared(
      tx,
      sql`update hierarchy_item i set status = s.status, version = i.version + 1, updated_at = ${now}
        from jsonb_to_recordset(${JSON.stringify(statuses)}::jsonb) as s(id int, status text) where i.id = s.id`,
    )
    await runUnprepared(
      tx,
      sql`with newest as (select e.* from unnest(${idList(statuses.map(({ id }) => id))}::int[]) as moved (id)
        cross join lateral (select * from status_event where page_id = ${pageId} and item_id = moved.id
          order by event_time desc, id desc limit 1) e),
        ${insertStatusChanges(sql`newest`, now, notify)}
      select 1`,
    )
  }
}
