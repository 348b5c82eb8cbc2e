import type { EntityManager } from '@mikro-orm/postgresql'
import type { HierarchyItem } from './entities/hierarchy-item.ts'
import { run } from './prepared.ts'

export type ComponentRow = Pick<
  HierarchyItem,
  'id' | 'parent_id' | 'name' | 'slug' | 'abbreviated_name' | 'description' | 'depth' | 'status' | 'display_order'
>

/**
 * What readers see of every item that counts, level by level in display order: as plain rows, since a big page has a
 * thousand, and every change has them read again.
 */
export function componentRows(tx: EntityManager): Promise<ComponentRow[]> {
  return run<ComponentRow>(
    tx,
    `select id, parent_id, name, slug, abbreviated_name, description, depth, status, display_order
      from hierarchy_item where archived_at is null order by depth, display_order, id`,
    [],
  )
}
