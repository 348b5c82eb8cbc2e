import type { EntityManager } from '@mikro-orm/postgresql'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import type { Incident } from '../../persistence/entities/incident.ts'
import { IncidentImpact } from '../../persistence/entities/incident-impact.ts'
import { IncidentUpdate } from '../../persistence/entities/incident-update.ts'
import { LifecycleStage } from '../../persistence/entities/lifecycle-stage.ts'
import type { StageWords } from '../../persistence/vocabulary.ts'
import { pathsOf, presentItemSummary } from '../hierarchy/presenter.ts'
import type { Reading } from '../translations/languages.ts'
import { translationsOf, wordsFor } from '../translations/read.ts'
import { presentStage } from '../vocabulary/presenter.ts'

const iso = (moment: Date | null | undefined) => moment?.toISOString() ?? null

export function presentCompact(incident: Incident) {
  return {
    id: incident.id,
    status: incident.status,
    title: incident.title,
    description: incident.description,
    started_at: iso(incident.started_at),
    created_at: iso(incident.created_at),
    updated_at: iso(incident.updated_at),
    resolved_at: iso(incident.resolved_at),
    impact: incident.impact ?? undefined,
    external_id: incident.external_id ?? undefined,
    lifecycle_stage_id: incident.lifecycle_stage_id ?? undefined,
    version: incident.version,
  }
}

/** What an audit row compares. */
export function snapshotIncident(incident: Incident) {
  return {
    ...presentCompact(incident),
    initial_status: incident.initial_status,
    acknowledged_at: iso(incident.acknowledged_at),
    affected_items_freetext: incident.affected_items_freetext ?? undefined,
    reminder_interval_minutes: incident.reminder_interval_minutes ?? undefined,
    chat_channel_id: incident.chat_channel_id ?? undefined,
  }
}

function presentUpdate(update: IncidentUpdate, stages: Map<number, LifecycleStage>) {
  const stage = stages.get(update.lifecycle_stage_id ?? 0)
  return {
    id: update.id,
    message: update.message,
    status: update.status,
    is_resolution: update.is_resolution,
    created_at: iso(update.created_at),
    updated_at: iso(update.updated_at),
    previous_status: update.previous_status,
    lifecycle_stage_id: stage?.id,
    lifecycle_stage: stage && presentStage(stage),
  }
}

/** Entries of a timeline for those who write them, with their translations. */
export async function presentUpdates(tx: EntityManager, updates: IncidentUpdate[]) {
  const stages = await stagesById(tx)
  const said = await translationsOf(tx, { incident_update: updates })
  return updates.map((update) => ({
    ...presentUpdate(update, stages),
    translations: said('incident_update', update.id),
  }))
}

/** Full incidents for those who write them, with all translations of them and of their timelines. */
export async function presentFull(tx: EntityManager, incidents: Incident[]) {
  const full = await present(tx, incidents)
  const said = await translationsOf(tx, { incident: full, incident_update: full.flatMap(({ updates }) => updates) })
  return full.map((incident) => ({
    ...incident,
    updates: incident.updates.map((update) => ({ ...update, translations: said('incident_update', update.id) })),
    translations: said('incident', incident.id),
  }))
}

/** Full incidents as customers see them, in the language that they read in. */
export async function presentPublic(tx: EntityManager, incidents: Incident[], reading: Reading) {
  const full = await present(tx, incidents)
  const subjects = { incident: full, incident_update: full.flatMap(({ updates }) => updates) }
  const words = await wordsFor(tx, reading, subjects)
  return full.map(({ updates, ...incident }) => ({
    ...asPublic(incident),
    ...words('incident', incident.id),
    updates: updates.map((update) => ({ ...update, ...words('incident_update', update.id) })),
  }))
}

/** The same without timelines and all else that is read from other tables. */
export async function presentPublicCompact(tx: EntityManager, incidents: Incident[], reading: Reading) {
  const words = await wordsFor(tx, reading, { incident: incidents })
  return incidents.map((incident) => {
    const { affected_items_freetext: _inFull, ...said } = words('incident', incident.id)
    return { ...asPublic(presentCompact(incident)), ...said }
  })
}

/** Full incidents with their timelines, newest entry first, in a number of queries that does not grow with them. */
async function present(tx: EntityManager, incidents: Incident[]) {
  const ids = incidents.map((incident) => incident.id)
  if (ids.length === 0) return []
  const stages = await stagesById(tx)
  const updates = grouped(await tx.find(IncidentUpdate, { incident_id: { $in: ids } }, { orderBy: { id: 'desc' } }))
  const items = await affectedItems(tx, incidents)
  return incidents.map((incident) => ({
    ...presentAlone(incident, stages.get(incident.lifecycle_stage_id ?? 0)),
    affected_items: items.get(incident.id) ?? [],
    updates: (updates.get(incident.id) ?? []).map((update) => presentUpdate(update, stages)),
  }))
}

/** A full incident that nothing has been said about yet and that holds nothing down: there is nothing to read. */
export const presentNew = (incident: Incident, stage: StageWords | undefined) => ({
  ...presentAlone(incident, stage),
  translations: [],
})

function presentAlone(incident: Incident, stage: StageWords | undefined) {
  return {
    ...snapshotIncident(incident),
    lifecycle_stage: stage && presentStage(stage),
    affected_items: [],
    updates: [],
  }
}

async function stagesById(tx: EntityManager): Promise<Map<number, LifecycleStage>> {
  const stages = await tx.find(LifecycleStage, { kind: 'incident' })
  return new Map(stages.map((stage) => [stage.id, stage]))
}

/** The items that an open incident holds down, or that a resolved one held down until it ended. */
async function affectedItems(tx: EntityManager, incidents: Incident[]) {
  const impacts = await tx.find(
    IncidentImpact,
    { incident_id: { $in: incidents.map((incident) => incident.id) } },
    { orderBy: { id: 'asc' } },
  )
  const items = await tx.find(HierarchyItem, { id: { $in: [...new Set(impacts.map((impact) => impact.item_id))] } })
  const path = await pathsOf(tx, items)
  const byId = new Map(items.map((item) => [item.id, presentItemSummary(item, path)]))
  const endedAt = new Map(incidents.map((incident) => [incident.id, incident.resolved_at?.getTime()]))
  const standing = impacts.filter(
    (impact) => impact.end_time === null || impact.end_time?.getTime() === endedAt.get(impact.incident_id),
  )
  const result = new Map<number, ReturnType<typeof presentItemSummary>[]>()
  for (const [incidentId, list] of grouped(standing)) {
    const distinct = [...new Set(list.map((impact) => impact.item_id))]
    result.set(
      incidentId,
      distinct.flatMap((itemId) => byId.get(itemId) ?? []),
    )
  }
  return result
}

function grouped<T extends { incident_id: number }>(rows: T[]): Map<number, T[]> {
  return Map.groupBy(rows, (row) => row.incident_id)
}

const privateFields = ['external_id', 'chat_channel_id', 'reminder_interval_minutes'] as const

/** What customers see: the same without what only operators need. */
function asPublic<T extends object>(incident: T): Omit<T, (typeof privateFields)[number]> {
  const shown = { ...incident } as Record<string, unknown>
  for (const name of privateFields) delete shown[name]
  return shown as Omit<T, (typeof privateFields)[number]>
}
