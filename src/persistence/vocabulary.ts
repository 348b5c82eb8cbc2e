import type { EntityManager } from '@mikro-orm/postgresql'
import type { LifecycleStage } from './entities/lifecycle-stage.ts'
import type { StatusType } from './entities/status-type.ts'
import { run } from './prepared.ts'

export type StageWords = Pick<
  LifecycleStage,
  'id' | 'name' | 'description' | 'color' | 'display_order' | 'is_default' | 'archived' | 'version'
>
export type StatusWords = Pick<StatusType, 'key' | 'display_order' | 'is_operational' | 'archived'>

/** The lifecycle stages for incidents of a page, unsorted. */
export const incidentStages = (tx: EntityManager) =>
  run<StageWords>(
    tx,
    `select id, name, description, color, display_order, is_default, archived, version from lifecycle_stage
      where kind = $1`,
    ['incident'],
  )

/** The status types and the lifecycle stages for incidents of a page, sorted. */
export async function incidentWords(tx: EntityManager): Promise<{ types: StatusWords[]; stages: StageWords[] }> {
  const [row] = await run<{ types: StatusWords[] | null; stages: StageWords[] | null }>(
    tx,
    `select
      (select json_agg(t) from (select key, display_order, is_operational, archived
        from status_type order by display_order, id) as t) as types,
      (select json_agg(s) from (select id, name, description, color, display_order, is_default, archived, version
        from lifecycle_stage where kind = $1 order by display_order, id) as s) as stages`,
    ['incident'],
  )
  return { types: row?.types ?? [], stages: row?.stages ?? [] }
}

/** The records that use a status. A used status can only be archived, because the history refers to it. */
export function usesOfStatus(tx: EntityManager, key: string): Promise<string[]> {
  return uses(tx, key, {
    incidents: 'select 1 from incident where status = ? or initial_status = ?',
    'incident updates': 'select 1 from incident_update where status = ? or previous_status = ?',
    'component impacts': 'select 1 from incident_impact where status = ? or ended_status = ?',
    items: 'select 1 from hierarchy_item where status = ? or override_status = ?',
    'status events': 'select 1 from status_event where status = ? or previous_status = ?',
  })
}

export function usesOfStage(tx: EntityManager, id: number): Promise<string[]> {
  return uses(tx, id, {
    incidents: 'select 1 from incident where lifecycle_stage_id = ?',
    'incident updates': 'select 1 from incident_update where lifecycle_stage_id = ? or previous_lifecycle_stage_id = ?',
    maintenances: 'select 1 from maintenance where lifecycle_stage_id = ?',
    'maintenance series': 'select 1 from maintenance_series where lifecycle_stage_id = ?',
    'maintenance updates': 'select 1 from maintenance_update where lifecycle_stage_id = ?',
  })
}

/** The names of the queries with a result, in one round trip. */
async function uses(tx: EntityManager, value: string | number, queries: Record<string, string>): Promise<string[]> {
  const words = Object.keys(queries)
  const columns = Object.values(queries).map((query, index) => `exists(${query}) as u${index}`)
  const count = Object.values(queries).join().split('?').length - 1
  const [row = {}] = await tx.execute<Record<string, boolean>[]>(
    `select ${columns.join(', ')}`,
    Array.from({ length: count }, () => value),
  )
  return words.filter((_word, index) => row[`u${index}`])
}
