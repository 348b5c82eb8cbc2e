import type { EntityManager } from '@mikro-orm/postgresql'
import type { HeldItem, StatusRow } from './hierarchy.ts'
import { run, sql } from './sql.ts'
import type { StatusWords } from './vocabulary.ts'

export interface BranchRow extends StatusRow {
  /** A sibling, which is needed only for the status of its parent and keeps its own status. */
  sibling: boolean
}

interface BranchFacts {
  types: StatusWords[]
  items: BranchRow[]
  held: HeldItem[]
}

/**
 * Locks the statuses of these items and of their ancestors, and returns all their ids. Changes under different roots run
 * concurrently; a change of the whole page (`lockStatuses`) waits for all of them.
 */
export async function lockBranches(tx: EntityManager, pageId: number, ids: number[]): Promise<number[]> {
  await run(tx, sql`select pg_advisory_xact_lock_shared(hashtextextended('item statuses', ${pageId}))`)
  // Parents are looked up one by one: an item has few ancestors, but the planner expects all items of a page.
  const rows = await run<{ id: number }>(
    tx,
    sql`with recursive up as (
        select id, parent_id from hierarchy_item
          where page_id = ${pageId} and id = any(${ids}::int[]) and archived_at is null
        union
        select p.id, p.parent_id from up cross join lateral (select id, parent_id from hierarchy_item
          where page_id = ${pageId} and id = up.parent_id and archived_at is null limit 1) p),
      root as (select id from up where not exists (select 1 from up as p where p.id = up.parent_id) order by id),
      locked as (select pg_advisory_xact_lock(hashtextextended('item statuses below', root.id)) from root)
      select id, (select count(*) from locked) from up`,
  )
  return rows.map((row) => row.id)
}

interface About {
  pageId: number
  ids: number[]
  now: Date
  inMaintenance: string
}

/** The facts for the statuses of these items, which are whole branches up to their roots, in one round trip. */
export async function factsOfBranches(
  tx: EntityManager,
  { pageId, ids, now, inMaintenance }: About,
): Promise<BranchFacts> {
  const [row] = await run<{ [K in keyof BranchFacts]: BranchFacts[K] | null }>(
    tx,
    sql`with
      item as (
        select id, parent_id, status, false as sibling,
            case when override_until is null or override_until > ${now} then override_status end as override_status
          from hierarchy_item where page_id = ${pageId} and id = any(${ids}::int[])
        union all
        select id, parent_id, status, true, null from hierarchy_item
          where page_id = ${pageId} and parent_id = any(${ids}::int[]) and archived_at is null
            and not id = any(${ids}::int[])),
      held as (
        select i.item_id, coalesce(i.status, n.status) as status from incident_impact i
          cross join lateral (select status, resolved_at from incident
            where page_id = ${pageId} and id = i.incident_id limit 1) n
          where i.page_id = ${pageId} and i.item_id = any(${ids}::int[]) and i.end_time is null
            and n.resolved_at is null
        union all
        select i.item_id, ${inMaintenance}::text from maintenance_item i
          cross join lateral (select status, ended_at from maintenance
            where page_id = ${pageId} and id = i.maintenance_id limit 1) m
          where i.page_id = ${pageId} and i.item_id = any(${ids}::int[]) and m.status = 'in_progress'
            and m.ended_at is null)
      select
        (select json_agg(t) from (select key, display_order, is_operational, archived
          from status_type order by display_order, id) as t) as types,
        (select json_agg(item) from item) as items,
        (select json_agg(held) from held) as held`,
  )
  return { types: row?.types ?? [], items: row?.items ?? [], held: row?.held ?? [] }
}

/** The affected items of a maintenance. */
export async function itemsOfMaintenance(tx: EntityManager, pageId: number, id: number): Promise<number[]> {
  const rows = await run<{ item_id: number }>(
    tx,
    sql`select item_id from maintenance_item where page_id = ${pageId} and maintenance_id = ${id}`,
  )
  return rows.map((row) => row.item_id)
}
