import type { EntityManager } from '@mikro-orm/postgresql'
import type { HierarchyItem } from './entities/hierarchy-item.ts'
import { dateOf } from './rows.ts'
import { run, sql } from './sql.ts'

export type ComponentRow = Pick<
  HierarchyItem,
  'id' | 'parent_id' | 'name' | 'slug' | 'abbreviated_name' | 'description' | 'depth' | 'status' | 'display_order'
>

/**
 * All items that are not archived, level by level in display order, with the columns that readers see. Plain rows, because
 * a large page has a thousand items, which are read again after every change.
 */
export function componentRows(tx: EntityManager): Promise<ComponentRow[]> {
  return run<ComponentRow>(
    tx,
    sql`select id, parent_id, name, slug, abbreviated_name, description, depth, status, display_order
      from hierarchy_item where archived_at is null order by depth, display_order, id`,
  )
}

type ComponentTimes = Pick<HierarchyItem, 'created_at' | 'updated_at' | 'start_date'>

/** When each item that is not archived was created and changed, and since when it is monitored. */
export async function componentTimes(tx: EntityManager): Promise<Map<number, ComponentTimes>> {
  const rows = await run<{ id: number } & Record<keyof ComponentTimes, unknown>>(
    tx,
    sql`select id, created_at, updated_at, start_date from hierarchy_item where archived_at is null`,
  )
  return new Map(
    rows.map(({ id, created_at, updated_at, start_date }) => [
      id,
      { created_at: dateOf(created_at)!, updated_at: dateOf(updated_at)!, start_date: dateOf(start_date)! },
    ]),
  )
}
