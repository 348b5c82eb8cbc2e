import type { EntityManager } from '@mikro-orm/postgresql'
import { insertStatusChanges } from './notifications.ts'
import { idList } from './rows.ts'
import { run, runUnprepared, sql } from './sql.ts'

export interface Ancestor {
  id: number
  parent_id: number | null
  name: string
}

/** These items and their ancestors, in one query. */
export async function withAncestors(tx: EntityManager, ids: number[]): Promise<Map<number, Ancestor>> {
  if (ids.length === 0) return new Map()
  const rows = await runUnprepared<Ancestor>(
    tx,
    sql`with recursive up as (
        select id, parent_id, name from hierarchy_item where id = any(${idList(ids)}::int[])
        union
        select p.id, p.parent_id, p.name from hierarchy_item p join up on p.id = up.parent_id)
      select id, parent_id, name from up`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Serializes changes of statuses on a page: concurrent changes would not see each other. */
export async function lockStatuses(tx: EntityManager, pageId: number): Promise<void> {
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('item statuses', ${pageId}))`)
}

export interface StatusRow {
  id: number
  parent_id: number | null
  status: string
  override_status: string | null
}

/** All items that are not archived, with their status set by hand as far as it is in force. */
export function statusRows(tx: EntityManager, now: Date): Promise<StatusRow[]> {
  return runUnprepared<StatusRow>(
    tx,
    sql`select id, parent_id, status,
        case when override_until is null or override_until > ${now} then override_status end as override_status
      from hierarchy_item where archived_at is null`,
  )
}

export interface HeldItem {
  item_id: number
  status: string
}

/** The items with open impacts, each with the status of the impact or of its incident, and items under maintenance. */
export function heldItems(tx: EntityManager, inMaintenance: string): Promise<HeldItem[]> {
  return runUnprepared<HeldItem>(
    tx,
    sql`select i.item_id, coalesce(i.status, n.status) as status from incident_impact i
      cross join lateral (select status, resolved_at from incident n
        where n.page_id = i.page_id and n.id = i.incident_id limit 1) n
      where i.end_time is null and n.resolved_at is null
      union all
      select i.item_id, ${inMaintenance}::text as status from maintenance_item i
        join maintenance m on m.id = i.maintenance_id and m.page_id = i.page_id
        where m.status = 'in_progress' and m.ended_at is null`,
  )
}

/** The maintenances in progress of these items within a span of time. */
export function workDuring(tx: EntityManager, itemIds: number[], since: Date, until: Date) {
  return runUnprepared<{ item_id: number; started_at: string; ended_at: string | null }>(
    tx,
    sql`select i.item_id, m.started_at, m.ended_at from maintenance_item i
      join maintenance m on m.id = i.maintenance_id and m.page_id = i.page_id
      where i.item_id = any(${idList(itemIds)}::int[]) and m.started_at < ${until}
        and (m.ended_at is null or m.ended_at > ${since})`,
  )
}

export interface StatusChange {
  pageId: number
  now: Date
  /** The moment of the change; a status event is never before the last event of its item. */
  since: Date
  cause: { kind: string; id: number | null }
  statuses: { id: number; status: string }[]
  /** The status of an item before its first event. */
  first: string
  /** Whether each status event comes with a notification. */
  notify: boolean
}

/**
 * Sets new statuses of items and writes their status events, in one statement. The previous status is the status of the
 * newest event: after the deletion of an event it may differ from the status of the item, and even equal the new status.
 */
export async function changeStatuses(tx: EntityManager, change: StatusChange): Promise<void> {
  const { pageId, now, since, cause, statuses, first, notify } = change
  await runUnprepared(
    tx,
    sql`with change as (
        select * from jsonb_to_recordset(${JSON.stringify(statuses)}::jsonb) as c(id int, status text)),
      before as (select i.id, coalesce(e.status, ${first}) as status, c.status as next,
          greatest(${since}::timestamptz, e.event_time) as at
        from hierarchy_item i join change c on c.id = i.id
        left join lateral (select status, event_time from status_event
          where page_id = ${pageId} and item_id = i.id order by event_time desc, id desc limit 1) e on true),
      moved as (update hierarchy_item i set status = b.next, version = i.version + 1, updated_at = ${now}
        from before b where i.id = b.id),
      written as (insert into status_event
        (page_id, item_id, status, previous_status, event_time, original_event_time, cause_kind, cause_id)
        select ${pageId}::int, id, next, status, at, at, ${cause.kind}, ${cause.id}::int
          from before where status <> next order by id
        returning *),
      ${insertStatusChanges(sql`written`, now, notify)}
      select 1`,
  )
}

export interface PlaceRow {
  id: number
  parent_id: number | null
  depth: number
}

/** The parent and depth of every item that is not archived. Small rows, so that ten thousand items are one fast query. */
export async function placeRows(tx: EntityManager): Promise<Map<number, PlaceRow>> {
  const rows = await run<PlaceRow>(tx, sql`select id, parent_id, depth from hierarchy_item where archived_at is null`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Serializes changes of the hierarchy: two concurrent moves could create a cycle. */
export async function lockTree(tx: EntityManager, pageId: number): Promise<void> {
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended('hierarchy', ${pageId}))`)
}

/** Changes the depth of all descendants of an item. */
export async function shiftSubtree(tx: EntityManager, id: number, by: number, now: Date): Promise<void> {
  await runUnprepared(
    tx,
    sql`with recursive below as (
        select id from hierarchy_item where parent_id = ${id}
        union
        select c.id from hierarchy_item c join below b on c.parent_id = b.id)
      update hierarchy_item set depth = depth + ${by}, version = version + 1, updated_at = ${now}
        where id in (select id from below)`,
  )
}

/** The records that refer to an item and prevent its deletion. */
export async function usesOfItem(tx: EntityManager, id: number): Promise<string[]> {
  const [row] = await runUnprepared<Record<'children' | 'archived' | 'incidents' | 'maintenances' | 'events', boolean>>(
    tx,
    sql`select exists(select 1 from hierarchy_item where parent_id = ${id} and archived_at is null) as children,
        exists(select 1 from hierarchy_item where parent_id = ${id} and archived_at is not null) as archived,
        exists(select 1 from incident_impact where item_id = ${id}) as incidents,
        exists(select 1 from maintenance_item where item_id = ${id})
          or exists(select 1 from maintenance_series_item where item_id = ${id}) as maintenances,
        exists(select 1 from status_event where item_id = ${id}) as events`,
  )
  return [
    ...(row?.children ? ['items below it'] : []),
    ...(row?.archived ? ['archived items below it'] : []),
    ...(row?.incidents ? ['incidents'] : []),
    ...(row?.maintenances ? ['maintenances'] : []),
    ...(row?.events ? ['status events'] : []),
  ]
}
