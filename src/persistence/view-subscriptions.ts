import type { EntityManager } from '@mikro-orm/postgresql'
import { idList } from './rows.ts'
import { run, sql } from './sql.ts'

export interface ViewScope {
  subscriber_id: number
  scope_kind: 'page' | 'items' | 'view'
  items: number[]
  include_descendants: boolean
  view_code: string | null
}

/** The scopes of those subscribers who have subscribed to a view, with all their other scopes. */
export function scopesOfViewSubscribers(tx: EntityManager, subscribers: number[]): Promise<ViewScope[]> {
  return run(
    tx,
    sql`select n.subscriber_id, n.scope_kind, coalesce(v.include_descendants, true) as include_descendants,
        coalesce(v.alias, v.short_code) as view_code,
        coalesce(jsonb_path_query_array(v.items, '$[*].id'), n.items) as items
      from subscription n left join custom_view v on v.page_id = n.page_id and v.id = n.view_id
      where n.enabled and n.subscriber_id in (select o.subscriber_id from subscription o
        where o.view_id is not null and o.subscriber_id = any (${idList(subscribers)}::int[]))`,
  )
}
