import type { EntityManager } from '@mikro-orm/postgresql'
import { run, sql } from './sql.ts'

interface NewestChange {
  status: string
  previous_status: string
  /** Milliseconds: the earliest and the latest of the newest status events with these statuses. */
  earliest: number
  latest: number
}

/** The newest status event of each item, by its statuses. */
export function newestChanges(tx: EntityManager): Promise<NewestChange[]> {
  return run<NewestChange>(
    tx,
    sql`select e.status, e.previous_status, (extract(epoch from min(e.event_time)) * 1000)::float8 as earliest,
        (extract(epoch from max(e.event_time)) * 1000)::float8 as latest
      from hierarchy_item i cross join lateral (select status, previous_status, event_time from status_event e
        where e.page_id = i.page_id and e.item_id = i.id order by e.event_time desc, e.id desc limit 1) e
      where i.archived_at is null group by e.status, e.previous_status`,
  )
}

/** The end of the last incident or maintenance without items, in milliseconds: the status events know those with items. */
export async function lastEndWithoutItems(tx: EntityManager): Promise<number | null> {
  const [row] = await run<{ at: number | null }>(
    tx,
    sql`select (extract(epoch from greatest(
        (select max(resolved_at) from incident n where not exists (
          select 1 from incident_impact i where i.page_id = n.page_id and i.incident_id = n.id)),
        (select max(ended_at) from maintenance m where started_at is not null and not exists (
          select 1 from maintenance_item i where i.page_id = m.page_id and i.maintenance_id = m.id))
      )) * 1000)::float8 as at`,
  )
  return row?.at ?? null
}
