import type { EntityManager } from '@mikro-orm/postgresql'
import type { LifecycleStage } from './entities/lifecycle-stage.ts'
import type { StatusType } from './entities/status-type.ts'
import { identifier, joined, run, runUnprepared, type Statement, sql } from './sql.ts'

export type StageWords = Pick<
  LifecycleStage,
  'id' | 'name' | 'description' | 'color' | 'display_order' | 'is_default' | 'archived' | 'version'
>
export type StatusWords = Pick<StatusType, 'key' | 'display_order' | 'is_operational' | 'archived'>

/** As a parameter, because a statement without parameters is not prepared. */
const INCIDENT = 'incident'

/** The lifecycle stages for incidents of a page, unsorted. */
export const incidentStages = (tx: EntityManager) =>
  run<StageWords>(
    tx,
    sql`select id, name, description, color, display_order, is_default, archived, version from lifecycle_stage
      where kind = ${INCIDENT}`,
  )

/** The status types and the lifecycle stages for incidents of a page, sorted. */
export async function incidentWords(tx: EntityManager): Promise<{ types: StatusWords[]; stages: StageWords[] }> {
  const [row] = await run<{ types: StatusWords[] | null; stages: StageWords[] | null }>(
    tx,
    sql`select
      (select json_agg(t) from (select key, display_order, is_operational, archived
        from status_type order by display_order, id) as t) as types,
      (select json_agg(s) from (select id, name, description, color, display_order, is_default, archived, version
        from lifecycle_stage where kind = ${INCIDENT} order by display_order, id) as s) as stages`,
  )
  return { types: row?.types ?? [], stages: row?.stages ?? [] }
}

/** The records that use a status. A used status can only be archived, because the history refers to it. */
export function usesOfStatus(tx: EntityManager, key: string): Promise<string[]> {
  return uses(tx, {
    incidents: sql`select 1 from incident where status = ${key} or initial_status = ${key}`,
    'incident updates': sql`select 1 from incident_update where status = ${key} or previous_status = ${key}`,
    'component impacts': sql`select 1 from incident_impact where status = ${key} or ended_status = ${key}`,
    items: sql`select 1 from hierarchy_item where status = ${key} or override_status = ${key}`,
    'status events': sql`select 1 from status_event where status = ${key} or previous_status = ${key}`,
  })
}

export function usesOfStage(tx: EntityManager, id: number): Promise<string[]> {
  return uses(tx, {
    incidents: sql`select 1 from incident where lifecycle_stage_id = ${id}`,
    'incident updates': sql`select 1 from incident_update
      where lifecycle_stage_id = ${id} or previous_lifecycle_stage_id = ${id}`,
    maintenances: sql`select 1 from maintenance where lifecycle_stage_id = ${id}`,
    'maintenance series': sql`select 1 from maintenance_series where lifecycle_stage_id = ${id}`,
    'maintenance updates': sql`select 1 from maintenance_update where lifecycle_stage_id = ${id}`,
  })
}

/** The names of the queries with a result, in one round trip. */
async function uses(tx: EntityManager, queries: Record<string, Statement>): Promise<string[]> {
  const columns = Object.entries(queries).map(([name, query]) => sql`exists(${query}) as ${identifier(name)}`)
  const [row = {}] = await runUnprepared<Record<string, boolean>>(tx, sql`select ${joined(columns)}`)
  return Object.keys(queries).filter((name) => row[name])
}
