import type { EntityManager } from '@mikro-orm/postgresql'

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

/** What holds items down right now: open impacts, each with its own status or its incident's. */
export function openImpacts(tx: EntityManager): Promise<HeldItem[]> {
  return tx.execute<HeldItem[]>(
    `select i.item_id, coalesce(i.status, n.status) as status from incident_impact i
      join incident n on n.id = i.incident_id and n.page_id = i.page_id
      where i.end_time is null and n.resolved_at is null`,
  )
}

export interface StatusChange {
  pageId: number
  now: Date
  /** Since when it was so; an item's events stay in order, so never before its last one. */
  since: Date
  cause: { kind: string; id: number | null }
  statuses: { id: number; status: string }[]
}

/** Moves items to new statuses and writes their status events, in one statement however many there are. */
export async function changeStatuses(tx: EntityManager, change: StatusChange): Promise<void> {
  const { pageId, now, since, cause, statuses } = change
  await tx.execute(
    `with change as (select * from jsonb_to_recordset(?::jsonb) as c(id int, status text)),
      before as (select i.id, i.status, c.status as next,
          greatest(?::timestamptz, (select max(e.event_time) from status_event e
            where e.page_id = ? and e.item_id = i.id)) as at
        from hierarchy_item i join change c on c.id = i.id),
      moved as (update hierarchy_item i set status = b.next, version = i.version + 1, updated_at = ?
        from before b where i.id = b.id)
      insert into status_event
        (page_id, item_id, status, previous_status, event_time, original_event_time, cause_kind, cause_id)
        select ?, id, next, status, at, at, ?, ? from before order by id`,
    [JSON.stringify(statuses), since, pageId, now, pageId, cause.kind, cause.id],
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
  const [row] = await tx.execute<{ children: boolean; incidents: boolean }[]>(
    `select exists(select 1 from hierarchy_item where parent_id = ? and archived_at is null) as children,
        exists(select 1 from incident_impact where item_id = ?) as incidents`,
    [id, id],
  )
  return [...(row?.children ? ['items below it'] : []), ...(row?.incidents ? ['incidents'] : [])]
}
