import type { EntityManager } from '@mikro-orm/postgresql'
import { run, type Statement, sql } from './sql.ts'

interface SpanRow {
  kind: 'incident' | 'maintenance'
  id: number
  item_id: number
  /** Milliseconds. */
  from: number
  to: number | null
}

/** When incidents and maintenances affected items directly within a time, in the order of their ids. */
export function affectedSpans(tx: EntityManager, since: Date, until: Date): Promise<SpanRow[]> {
  const span = (start: Statement, end: Statement) =>
    sql`(extract(epoch from ${start}) * 1000)::float8 as "from", (extract(epoch from ${end}) * 1000)::float8 as "to"`
  return run<SpanRow>(
    tx,
    sql`select 'incident' as kind, incident_id as id, item_id, ${span(sql`start_time`, sql`end_time`)}
        from incident_impact where start_time < ${until} and (end_time is null or end_time > ${since})
      union all
      select 'maintenance' as kind, m.id, i.item_id, ${span(sql`m.started_at`, sql`m.ended_at`)}
        from maintenance m join maintenance_item i on i.maintenance_id = m.id and i.page_id = m.page_id
        where m.started_at < ${until} and (m.ended_at is null or m.ended_at > ${since})
      order by 1, 2`,
  )
}

/** The parent and the start of each item, including archived items. */
export function itemStarts(tx: EntityManager): Promise<{ id: number; parent_id: number | null; start_date: string }[]> {
  return run(tx, sql`select id, parent_id, start_date from hierarchy_item`)
}
