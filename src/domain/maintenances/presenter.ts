import type { EntityManager } from '@mikro-orm/postgresql'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import type { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceItem } from '../../persistence/entities/maintenance-item.ts'
import { MaintenanceOccurrence } from '../../persistence/entities/maintenance-occurrence.ts'
import { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import { MaintenanceUpdate } from '../../persistence/entities/maintenance-update.ts'
import { withAncestors } from '../../persistence/hierarchy.ts'
import { summaryPresenter } from '../hierarchy/presenter.ts'
import { compact, lacking, valuesOf, without } from '../kernel/fields.ts'
import { inOriginal, type Reading } from '../translations/languages.ts'
import { translationsOf, wordsFor } from '../translations/read.ts'
import { automaticIn } from '../vocabulary/automatic-text.ts'
import { stagesOf } from '../vocabulary/lookup.ts'
import { stagePresenter } from '../vocabulary/names.ts'
import { presentStage } from '../vocabulary/presenter.ts'
import { maintenanceFields } from './fields.ts'
import type { Status } from './rules.ts'

const iso = (moment: Date | null) => moment?.toISOString() ?? null

const listedFields = compact(maintenanceFields)

export const presentCompact = (maintenance: Maintenance) => ({
  ...identityOf(maintenance),
  ...valuesOf(listedFields, maintenance),
})

/** What every answer has of a maintenance, besides its fields. */
const identityOf = (maintenance: Maintenance) => ({
  id: maintenance.id,
  status: maintenance.status as Status,
  scheduled_start_time: iso(maintenance.scheduled_start_time),
  scheduled_end_time: iso(maintenance.scheduled_end_time),
  created_at: iso(maintenance.created_at),
  updated_at: iso(maintenance.updated_at),
  external_id: maintenance.external_id ?? undefined,
  series_id: maintenance.series_id ?? undefined,
  lifecycle_stage_id: maintenance.lifecycle_stage_id ?? undefined,
  version: maintenance.version,
})

/** The fields that an audit row compares. */
export const snapshotMaintenance = (maintenance: Maintenance) => ({
  ...identityOf(maintenance),
  ...valuesOf(maintenanceFields, maintenance),
  started_at: iso(maintenance.started_at),
  ended_at: iso(maintenance.ended_at),
})

/** The fields of the maintenance that readers of the page see. */
export function publicFields(maintenance: Maintenance) {
  const { version: _version, updated_at: _updated, ...fields } = asPublic(snapshotMaintenance(maintenance))
  return fields
}

type Stages = Map<number, ReturnType<typeof presentStage>>

function presentUpdate(update: MaintenanceUpdate, stages: Stages) {
  const stage = stages.get(update.lifecycle_stage_id ?? 0)
  return {
    id: update.id,
    maintenance_id: update.maintenance_id,
    message: update.message,
    status: update.status as Status,
    created_at: iso(update.created_at),
    updated_at: iso(update.updated_at),
    previous_status: update.previous_status as Status,
    lifecycle_stage_id: stage?.id,
    lifecycle_stage: stage,
    ...(update.due_at ? { due_at: update.due_at.toISOString(), late: update.late } : {}),
  }
}

/** Entries of a timeline for admins, with their translations. */
export async function presentUpdates(tx: EntityManager, updates: MaintenanceUpdate[]) {
  const stages = byId((await stagesOf(tx, 'maintenance')).map(presentStage))
  const translations = await translationsOf(tx, { maintenance_update: updates })
  return updates.map((update) => ({
    ...presentUpdate(update, stages),
    translations: translations('maintenance_update', update.id),
  }))
}

/** A written entry, with the resulting version of the maintenance. */
export async function presentWritten(tx: EntityManager, { version }: Maintenance, update: MaintenanceUpdate) {
  const [shown] = await presentUpdates(tx, [update])
  return { ...shown!, version }
}

/** Full maintenances for admins, with all translations of the maintenances and of their timelines. */
export async function presentFull(tx: EntityManager, maintenances: Maintenance[]) {
  const { full } = await present(tx, maintenances, inOriginal)
  const subjects = { maintenance: full, maintenance_update: full.flatMap(({ updates }) => updates) }
  const translations = await translationsOf(tx, subjects)
  return full.map((maintenance) => ({
    ...maintenance,
    updates: maintenance.updates.map((update) => ({
      ...update,
      translations: translations('maintenance_update', update.id),
    })),
    translations: translations('maintenance', maintenance.id),
  }))
}

/** Full maintenances for readers, in the language of the reader. */
export async function presentPublic(tx: EntityManager, maintenances: Maintenance[], reading: Reading) {
  const { full, words } = await present(tx, maintenances, reading)
  return full.map(({ updates, ...maintenance }) => ({
    ...asPublic({ ...maintenance, ...words('maintenance', maintenance.id) }),
    updates: updates.map(({ due_at: _due, late: _late, ...update }) => ({
      ...update,
      ...automaticIn(reading, update),
      ...words('maintenance_update', update.id),
    })),
  }))
}

/** Compact maintenances for readers, without timelines and other tables. */
export async function presentPublicCompact(tx: EntityManager, maintenances: Maintenance[], reading: Reading) {
  const words = await wordsFor(tx, reading, { maintenance: maintenances })
  return maintenances.map((maintenance) => {
    const translations = without(words('maintenance', maintenance.id), namesInFull)
    return asPublic({ ...presentCompact(maintenance), ...translations })
  })
}

/**
 * Full maintenances with their timelines, newest entry first, in a constant number of queries. Items and stages are in the language
 * of the reader; `words` has the texts of the maintenances and of their entries.
 */
async function present(tx: EntityManager, maintenances: Maintenance[], reading: Reading) {
  const ids = maintenances.map(({ id }) => id)
  if (ids.length === 0) return { full: [], words: await wordsFor(tx, inOriginal, {}) }
  const pageStages = await stagesOf(tx, 'maintenance')
  const rows = await tx.find(MaintenanceUpdate, { maintenance_id: { $in: ids } }, { orderBy: { id: 'desc' } })
  const updates = Map.groupBy(rows, (row) => row.maintenance_id)
  const { affected, items, ancestors } = await affectedItems(tx, ids)
  const records = { maintenance: maintenances, maintenance_update: rows }
  const words = await wordsFor(tx, reading, { ...records, item: [...ancestors.values()], lifecycle_stage: pageStages })
  const stages = byId(pageStages.map(stagePresenter('maintenance', reading, words)))
  const summaries = byId(items.map(summaryPresenter(ancestors, words)))
  const recurrence = await recurrenceOf(tx, maintenances)
  const full = maintenances.map((maintenance) => {
    const stage = stages.get(maintenance.lifecycle_stage_id ?? 0)
    return {
      ...snapshotMaintenance(maintenance),
      ...recurrence(maintenance),
      lifecycle_stage_id: stage?.id,
      lifecycle_stage: stage,
      affected_items: (affected.get(maintenance.id) ?? []).map(({ item_id }) => summaries.get(item_id)!),
      updates: (updates.get(maintenance.id) ?? []).map((update) => presentUpdate(update, stages)),
    }
  })
  return { full, words }
}

/** The occurrence and the series of each window. */
async function recurrenceOf(tx: EntityManager, maintenances: Maintenance[]) {
  const part = maintenances.filter(({ series_id }) => series_id !== null)
  if (part.length === 0) return () => ({})
  const rows = await tx.find(MaintenanceOccurrence, { maintenance_id: { $in: part.map(({ id }) => id) } })
  const series = await tx.find(MaintenanceSeries, { id: { $in: part.map(({ series_id }) => series_id!) } })
  const seriesById = new Map(series.map((one) => [one.id, one]))
  const byWindow = new Map(rows.map((row) => [row.maintenance_id, row]))
  return ({ id, series_id }: Maintenance) => {
    const row = byWindow.get(id)
    const one = seriesById.get(series_id ?? 0)
    return {
      occurrence_index: row?.number,
      original_start_time: row?.original_start_time.toISOString(),
      recurrence_rule: one?.recurrence_rule ?? undefined,
      recurrence_timezone: one?.timezone,
      recurrence_end_time: one?.recurrence_end_time?.toISOString(),
    }
  }
}

const byId = <R extends { id: number }>(records: R[]) => new Map(records.map((record) => [record.id, record]))

async function affectedItems(tx: EntityManager, ids: number[]) {
  const affected = await tx.find(MaintenanceItem, { maintenance_id: { $in: ids } }, { orderBy: { id: 'asc' } })
  const items = await tx.find(HierarchyItem, { id: { $in: [...new Set(affected.map(({ item_id }) => item_id))] } })
  const ancestors = await withAncestors(
    tx,
    items.map(({ id }) => id),
  )
  return { affected: Map.groupBy(affected, ({ maintenance_id }) => maintenance_id), items, ancestors }
}

const namesInFull = lacking(maintenanceFields, 'compact')
const privateNames = { external_id: true, ...lacking(maintenanceFields, 'public') }

/** Removes the fields that only operators need. */
const asPublic = <T extends object>(maintenance: T) => without(maintenance, privateNames)
