import type { EntityManager } from '@mikro-orm/postgresql'
import { dateOf, idList } from './rows.ts'
import { run, sql } from './sql.ts'

interface OccurrenceRow {
  series_id: number
  at: number
  maintenance_id: number | null
  skipped: boolean
  edited: boolean
  /** The window was cancelled or deleted. */
  isGone: boolean
}

/** The stored occurrences of series, without those that a change of the schedule has dropped. */
export async function storedOccurrences(tx: EntityManager, seriesIds: number[]): Promise<OccurrenceRow[]> {
  if (seriesIds.length === 0) return []
  const rows = await run<Omit<OccurrenceRow, 'at' | 'isGone'> & { start: unknown; gone: boolean }>(
    tx,
    sql`select o.series_id, o.original_start_time as start, o.maintenance_id, o.skipped, o.edited,
        (m.id is null or m.status = 'cancelled') as gone
      from maintenance_occurrence o
        left join maintenance m on m.page_id = o.page_id and m.id = o.maintenance_id
      where o.series_id = any(${idList(seriesIds)}::int[]) and not o.dropped
      order by o.original_start_time`,
  )
  return rows.map(({ start, gone, ...row }) => ({ ...row, at: dateOf(start)!.getTime(), isGone: gone }))
}

interface AffectedRow {
  id: number
  item_id: number
}

/** The items of maintenances, in the order in which they were named. */
export const itemsOfMaintenances = (tx: EntityManager, ids: number[]): Promise<AffectedRow[]> =>
  run(
    tx,
    sql`select maintenance_id as id, item_id from maintenance_item
      where maintenance_id = any(${idList(ids)}::int[]) order by id`,
  )

export const itemsOfSeries = (tx: EntityManager, ids: number[]): Promise<AffectedRow[]> =>
  run(
    tx,
    sql`select series_id as id, item_id from maintenance_series_item
      where series_id = any(${idList(ids)}::int[]) order by id`,
  )
