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
