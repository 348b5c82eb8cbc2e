import type { EntityManager } from '@mikro-orm/postgresql'
import { run } from './prepared.ts'

/** Removes deleted items from all scopes. A subscription without any item left is disabled: no items would mean nothing. */
export async function leaveScopes(tx: EntityManager, itemIds: number[], now: Date): Promise<void> {
  await run(
    tx,
    `with reduced as (
        select id, subscriber_id, array(
            select item from jsonb_array_elements(items) with ordinality as listed (item, place)
              where not item <@ $1::jsonb order by place
          ) as remaining
          from subscription s
          where scope_kind = 'items' and exists(select 1 from jsonb_array_elements(s.items) item where item <@ $1::jsonb)),
      changed as (
        update subscription s set items = to_jsonb(remaining), enabled = enabled and cardinality(remaining) > 0, updated_at = $2
          from reduced where s.id = reduced.id)
      update subscriber set version = version + 1, updated_at = $2 where id in (select subscriber_id from reduced)`,
    [JSON.stringify(itemIds), now],
  )
}

/** Deliveries to a deleted subscriber stay without its address, which mail servers repeat in their answers. */
export async function forgetAddress(
  tx: EntityManager,
  { id, address }: { id: number; address: string },
): Promise<void> {
  const pattern = address.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  await run(
    tx,
    `update delivery set address = $2, attempts = (
        select coalesce(jsonb_agg(attempt || jsonb_build_object('answer', regexp_replace(attempt->>'answer', $3, $2, 'gi'))
            order by place), '[]')
          from jsonb_array_elements(attempts) with ordinality as listed (attempt, place))
      where subscriber_id = $1`,
    [id, `deleted subscriber ${id}`, pattern],
  )
}
