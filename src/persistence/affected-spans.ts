import type { EntityManager } from '@mikro-orm/postgresql'
import { run } from './prepared.ts'

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
  const span = (start: string, end: string) =>
    `(extract(epoch from ${start}) * 1000)::float8 as "from", (extract(epoch from ${end}) * 1000)::float8 as "to"`
  return run<SpanRow>(
    tx,
    `select 'incident' as kind, incident_id as id, item_id, ${span('start_time', 'end_time')}
        from incident_impact where start_time < $1 and (end_time is null or end_time > $2)
      union all
      select 'maintenance' as kind, m.id, i.item_id, ${span('m.started_at', 'm.ended_at')}
        from maintenance m join maintenance_item i on i.maintenance_id = m.id and i.page_id = m.page_id
        where m.started_at < $1 and (m.ended_at is null or m.ended_at > $2)
      order by 1, 2`,
    [until, since],
  )
}

/** The parent and the start of each item, including archived items. */
export function itemStarts(tx: EntityManager): Promise<{ id: number; parent_id: number | null; start_date: string }[]> {
  return tx.execute('select id, parent_id, start_date from hierarchy_item')
}
