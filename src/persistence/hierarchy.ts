import type { EntityManager } from '@mikro-orm/postgresql'
import { insertStatusChanges } from './notifications.ts'

export interface Ancestor {
  id: number
  parent_id: number | null
  name: string
}

/** These items and everything above them, in one query however many there are. */
export async function withAncestors(tx: EntityManager, ids: number[]): Promise<Map<number, Ancestor>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.execute<Ancestor[]>(
    `with recursive up as (
        select id, parent_id, name from hierarchy_item where id = any(?::int[])
        union
        select p.id, p.parent_id, p.name from hierarchy_item p join up on p.id = up.parent_id)
      select id, parent_id, name from up`,
    [`{${ids.join(',')}}`],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Two changes that hold items down are computed one after the other, or each would miss what the other did. */
export async function lockStatuses(tx: EntityManager, pageId: number): Promise<void> {
  await tx.execute(`select pg_advisory_xact_lock(hashtextextended('item statuses', ?))`, [pageId])
}

export interface StatusRow {
  id: number
  parent_id: number | null
  status: string
  override_status: string | null
}

/** Every item that counts, with what was set by hand and still stands. */
export function statusRows(tx: EntityManager, now: Date): Promise<StatusRow[]> {
  return tx.execute<StatusRow[]>(
    `select id, parent_id, status,
        case when override_until is null or override_until > ? then override_status end as override_status
      from hierarchy_item where archived_at is null`,
    [now],
  )
}

export interface HeldItem {
  item_id: number
  status: string
}

/** What holds items down right now: open impacts, each with its own status or its incident's, and work in progress. */
export function heldItems(tx: EntityManager, inMaintenance: string): Promise<HeldItem[]> {
  return tx.execute<HeldItem[]>(
    // Looked up one by one: few are open where many are stored, so the planner expects none and would try each with each.
    `select i.item_id, coalesce(i.status, n.status) as status from incident_impact i
      cross join lateral (select status, resolved_at from incident n
        where n.page_id = i.page_id and n.id = i.incident_id limit 1) n
      where i.end_time is null and n.resolved_at is null
      union all
      select i.item_id, ? as status from maintenance_item i
        join maintenance m on m.id = i.maintenance_id and m.page_id = i.page_id
        where m.status = 'in_progress' and m.ended_at is null`,
    [inMaintenance],
  )
}

/** When work on these items was in progress, as far as that touches a time. */
export function workDuring(tx: EntityManager, itemIds: number[], since: Date, until: Date) {
  return tx.execute<{ item_id: number; started_at: string; ended_at: string | null }[]>(
    `select i.item_id, m.started_at, m.ended_at from maintenance_item i
      join maintenance m on m.id = i.maintenance_id and m.page_id = i.page_id
      where i.item_id = any(?::int[]) and m.started_at < ? and (m.ended_at is null or m.ended_at > ?)`,
    [`{${itemIds.join(',')}}`, until, since],
  )
}

export interface StatusChange {
  pageId: number
  now: Date
  /** Since when it was so; an item's events stay in order, so never before its last one. */
  since: Date
  cause: { kind: string; id: number | null }
  statuses: { id: number; status: string }[]
  /** What an item is before its first event. */
  first: string
  /** Whether each status event comes with a notification event. */
  notify: boolean
}

/**
 * Moves items to new statuses and writes their status events, in one statement however many there are. What an event
 * follows is what the events tell: where the newest was deleted, that is not what the item was, and may be what it becomes.
 */
export async function changeStatuses(tx: EntityManager, change: StatusChange): Promise<void> {
  const { pageId, now, since, cause, statuses, first, notify } = change
  await tx.execute(
    `with change as (select * from jsonb_to_recordset(?::jsonb) as c(id int, status text)),
      before as (select i.id, coalesce(e.status, ?) as status, c.status as next,
          greatest(?::timestamptz, e.event_time) as at
        from hierarchy_item i join change c on c.id = i.id
        left join lateral (select status, event_time from status_event
          where page_id = ? and item_id = i.id order by event_time desc, id desc limit 1) e on true),
      moved as (update hierarchy_item i set status = b.next, version = i.version + 1, updated_at = ?
        from before b where i.id = b.id),
      written as (insert into status_event
        (page_id, item_id, status, previous_status, event_time, original_event_time, cause_kind, cause_id)
        select ?, id, next, status, at, at, ?, ? from before where status <> next order by id
        returning *)
      ${insertStatusChanges('written')}`,
    [JSON.stringify(statuses), first, since, pageId, now, pageId, cause.kind, cause.id, now, now, notify],
  )
}

export interface PlaceRow {
  id: number
  parent_id: number | null
  depth: number
}

/** Where every item stands that is not archived: small rows, so that a tree of ten thousand is one quick query. */
export async function placeRows(tx: EntityManager): Promise<Map<number, PlaceRow>> {
  const rows = await tx.execute<PlaceRow[]>('select id, parent_id, depth from hierarchy_item where archived_at is null')
  return new Map(rows.map((row) => [row.id, row]))
}

/** One change of the tree at a time: two moves that are fine alone could make a circle together. */
export async function lockTree(tx: EntityManager, pageId: number): Promise<void> {
  await tx.execute(`select pg_advisory_xact_lock(hashtextextended('hierarchy', ?))`, [pageId])
}

/** Everything below an item goes with it, level by level. */
export async function shiftSubtree(tx: EntityManager, id: number, by: number, now: Date): Promise<void> {
  await tx.execute(
    `with recursive below as (
        select id from hierarchy_item where parent_id = ?
        union
        select c.id from hierarchy_item c join below b on c.parent_id = b.id)
      update hierarchy_item set depth = depth + ?, version = version + 1, updated_at = ?
        where id in (select id from below)`,
    [id, by, now],
  )
}

/** What speaks of an item, and therefore keeps it from being deleted. */
export async function usesOfItem(tx: EntityManager, id: number): Promise<string[]> {
  const [row] = await tx.execute<Record<'children' | 'archived' | 'incidents' | 'maintenances' | 'events', boolean>[]>(
    `select exists(select 1 from hierarchy_item where parent_id = ? and archived_at is null) as children,
        exists(select 1 from hierarchy_item where parent_id = ? and archived_at is not null) as archived,
        exists(select 1 from incident_impact where item_id = ?) as incidents,
        exists(select 1 from maintenance_item where item_id = ?)
          or exists(select 1 from maintenance_series_item where item_id = ?) as maintenances,
        exists(select 1 from status_event where item_id = ?) as events`,
    [id, id, id, id, id, id],
  )
  return [
    ...(row?.children ? ['items below it'] : []),
    ...(row?.archived ? ['archived items below it'] : []),
    ...(row?.incidents ? ['incidents'] : []),
    ...(row?.maintenances ? ['maintenances'] : []),
    ...(row?.events ? ['status events'] : []),
  ]
}
