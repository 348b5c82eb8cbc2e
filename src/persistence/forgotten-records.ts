import type { EntityManager } from '@mikro-orm/postgresql'
import { run, sql } from './sql.ts'

/** Removes deleted items from all scopes. A subscription without any item left is disabled: no items would mean nothing. */
export async function leaveScopes(tx: EntityManager, itemIds: number[], now: Date): Promise<void> {
  const left = JSON.stringify(itemIds)
  await run(
    tx,
    sql`with reduced as (
        select id, subscriber_id, array(
            select item from jsonb_array_elements(items) with ordinality as listed (item, place)
              where not item <@ ${left}::jsonb order by place
          ) as remaining
          from subscription s
          where scope_kind = 'items'
            and exists(select 1 from jsonb_array_elements(s.items) item where item <@ ${left}::jsonb)),
      changed as (
        update subscription s
          set items = to_jsonb(remaining), enabled = enabled and cardinality(remaining) > 0, updated_at = ${now}
          from reduced where s.id = reduced.id)
      update subscriber set version = version + 1, updated_at = ${now} where id in (select subscriber_id from reduced)`,
  )
}

/** The subscriptions to a view are deleted with the view, which changes their subscribers. */
export async function loseView(tx: EntityManager, viewId: number, now: Date): Promise<void> {
  await run(
    tx,
    sql`update subscriber set version = version + 1, updated_at = ${now}
      where id in (select subscriber_id from subscription where view_id = ${viewId})`,
  )
}

/** Deliveries to a deleted subscriber stay without its address, which mail servers repeat in their answers. */
export async function forgetAddress(
  tx: EntityManager,
  { id, address }: { id: number; address: string },
): Promise<void> {
  const shown = `deleted subscriber ${id}`
  const pattern = address.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  await run(
    tx,
    sql`update delivery set address = ${shown}, attempts = (
        select coalesce(jsonb_agg(attempt
            || jsonb_build_object('answer', regexp_replace(attempt->>'answer', ${pattern}, ${shown}, 'gi'))
            order by place), '[]')
          from jsonb_array_elements(attempts) with ordinality as listed (attempt, place))
      where subscriber_id = ${id}`,
  )
}
