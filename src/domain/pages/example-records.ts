import type { EntityManager } from '@mikro-orm/postgresql'
import { ExampleRecord } from '../../persistence/entities/example-record.ts'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { Incident } from '../../persistence/entities/incident.ts'
import { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { canonical } from '../kernel/canonical.ts'

type Kind = ExampleRecord['kind']

/** The ids of the records of an example, by their kinds. */
export type Made = Record<Kind, number[]>

/**
 * The fields of a record that a person can change. Only a person raises the version of an incident or a series; a new status
 * raises the version of an item too.
 */
const editable = {
  item: ({ parent_id, name, slug, abbreviated_name, description, external_id, metadata, ...item }: HierarchyItem) => ({
    ...{ parent_id, name, slug, abbreviated_name, description, external_id, metadata },
    ...{ override_status: item.override_status, archived_at: item.archived_at, start_date: item.start_date },
  }),
  incident: ({ version }: Incident) => ({ version }),
  series: ({ version }: MaintenanceSeries) => ({ version }),
}

/** Stores the current state of the records of the example. */
export async function noteExample(tx: EntityManager, page_id: number, made: Made): Promise<void> {
  const found = await recordsOf(tx, made)
  const rows = [
    ...found.item.map((one) => ({ kind: 'item' as const, record_id: one.id, as_made: editable.item(one) })),
    ...found.incident.map((one) => ({ kind: 'incident' as const, record_id: one.id, as_made: editable.incident(one) })),
    ...found.series.map((one) => ({ kind: 'series' as const, record_id: one.id, as_made: editable.series(one) })),
  ]
  await tx.upsertMany(
    ExampleRecord,
    rows.map((row) => ({ page_id, ...row })),
  )
}

export interface Example {
  rows: ExampleRecord[]
  /** The records that are still there. */
  found: { item: HierarchyItem[]; incident: Incident[]; series: MaintenanceSeries[] }
  isUnchanged: {
    item(item: HierarchyItem): boolean
    incident(incident: Incident): boolean
    series(series: MaintenanceSeries): boolean
  }
}

export async function readExample(tx: EntityManager): Promise<Example> {
  const rows = await tx.findAll(ExampleRecord)
  const idsOf = (kind: Kind) => rows.filter((row) => row.kind === kind).map(({ record_id }) => record_id)
  const found = await recordsOf(tx, { item: idsOf('item'), incident: idsOf('incident'), series: idsOf('series') })
  const asMade = new Map(rows.map((row) => [`${row.kind} ${row.record_id}`, canonical(row.as_made)]))
  const isSame = (kind: Kind, id: number, now: object) => asMade.get(`${kind} ${id}`) === canonical(now)
  return {
    rows,
    found,
    isUnchanged: {
      item: (item) => isSame('item', item.id, editable.item(item)),
      incident: (incident) => isSame('incident', incident.id, editable.incident(incident)),
      series: (series) => isSame('series', series.id, editable.series(series)),
    },
  }
}

async function recordsOf(tx: EntityManager, made: Made) {
  return {
    item: await tx.find(HierarchyItem, { id: { $in: made.item } }, { orderBy: { depth: 'desc', id: 'asc' } }),
    incident: await tx.find(Incident, { id: { $in: made.incident } }, { orderBy: { id: 'asc' } }),
    series: await tx.find(MaintenanceSeries, { id: { $in: made.series } }, { orderBy: { id: 'asc' } }),
  }
}
