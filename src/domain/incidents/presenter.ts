import type { EntityManager } from '@mikro-orm/postgresql'
import type { Incident } from '../../persistence/entities/incident.ts'
import type { IncidentUpdate } from '../../persistence/entities/incident-update.ts'
import { withAncestors } from '../../persistence/hierarchy.ts'
import { type EntryRow, itemsHeldBy, timelinesOf } from '../../persistence/timelines.ts'
import { incidentStages, type StageWords } from '../../persistence/vocabulary.ts'
import { summaryPresenter } from '../hierarchy/presenter.ts'
import { compact, lacking, valuesOf, without } from '../kernel/fields.ts'
import { inOriginal, type Reading } from '../translations/languages.ts'
import { translationsOf, wordsFor } from '../translations/read.ts'
import { automaticIn } from '../vocabulary/automatic-text.ts'
import { stagePresenter } from '../vocabulary/names.ts'
import { presentStage } from '../vocabulary/presenter.ts'
import { incidentFields } from './fields.ts'

const iso = <M extends Date | null>(moment: M) =>
  (moment?.toISOString() ?? null) as M extends Date ? string : string | null

const listedFields = compact(incidentFields)

export const presentCompact = (incident: Incident) => ({ ...identityOf(incident), ...valuesOf(listedFields, incident) })

/** What every answer has of an incident, besides its fields. */
const identityOf = (incident: Incident) => ({
  id: incident.id,
  status: incident.status,
  started_at: iso(incident.started_at),
  created_at: iso(incident.created_at),
  updated_at: iso(incident.updated_at),
  resolved_at: iso(incident.resolved_at),
  external_id: incident.external_id ?? undefined,
  lifecycle_stage_id: incident.lifecycle_stage_id ?? undefined,
  version: incident.version,
})

/** The fields that an audit row compares. */
export const snapshotIncident = (incident: Incident) => ({
  ...identityOf(incident),
  ...valuesOf(incidentFields, incident),
  initial_status: incident.initial_status,
  acknowledged_at: iso(incident.acknowledged_at),
})

/** Entries of a timeline for admins, with their translations. */
export async function presentUpdates(tx: EntityManager, updates: IncidentUpdate[]) {
  const present = entryPresenter((await incidentStages(tx)).map(presentStage))
  const translations = await translationsOf(tx, { incident_update: updates })
  return updates.map((update) => ({
    ...present({ ...update, created_at: iso(update.created_at), updated_at: iso(update.updated_at) }),
    translations: translations('incident_update', update.id),
  }))
}

/** A written entry, with the resulting version of the incident. */
export async function presentWritten(tx: EntityManager, { version }: Incident, update: IncidentUpdate) {
  const [shown] = await presentUpdates(tx, [update])
  return { ...shown!, version }
}

/** The fields of the incident that readers of the page see. */
export function publicFields(incident: Incident) {
  const { version: _version, updated_at: _updated, ...fields } = asPublic(snapshotIncident(incident))
  return fields
}

/** Presents each stage once: a timeline names few stages, each of them often. */
function entryPresenter(stages: ReturnType<typeof presentStage>[]) {
  const shown = new Map(stages.map((stage) => [stage.id, stage]))
  return (entry: EntryRow) => {
    const stage = shown.get(entry.lifecycle_stage_id ?? 0)
    return {
      id: entry.id,
      message: entry.message,
      status: entry.status,
      is_resolution: entry.is_resolution,
      created_at: entry.created_at,
      updated_at: entry.updated_at,
      previous_status: entry.previous_status,
      lifecycle_stage_id: stage?.id,
      lifecycle_stage: stage,
    }
  }
}

/** Changes the entry in place: for a list of a thousand entries, copies cost more than the reads. */
const withWords = <U extends object, W extends object>(update: U, words: W): U & W => Object.assign(update, words)

/** Full incidents for admins, with all translations of the incidents and of their timelines. */
export async function presentFull(tx: EntityManager, incidents: Incident[]) {
  const { full } = await present(tx, incidents, inOriginal)
  const translations = await translationsOf(tx, {
    incident: full,
    incident_update: full.flatMap(({ updates }) => updates),
  })
  return full.map((incident) => ({
    ...incident,
    updates: incident.updates.map((update) =>
      withWords(update, { translations: translations('incident_update', update.id) }),
    ),
    translations: translations('incident', incident.id),
  }))
}

/** Full incidents for readers, in the language of the reader. */
export async function presentPublic(tx: EntityManager, incidents: Incident[], reading: Reading) {
  const { full, words } = await present(tx, incidents, reading)
  return full.map(({ updates, ...incident }) => ({
    ...asPublic({ ...incident, ...words('incident', incident.id) }),
    updates: updates.map((update) =>
      withWords(update, { ...automaticIn(reading, update), ...words('incident_update', update.id) }),
    ),
  }))
}

/** Compact incidents for readers, without timelines and other tables. */
export async function presentPublicCompact(tx: EntityManager, incidents: Incident[], reading: Reading) {
  const words = await wordsFor(tx, reading, { incident: incidents })
  return incidents.map((incident) => {
    const translations = without(words('incident', incident.id), namesInFull)
    return asPublic({ ...presentCompact(incident), ...translations })
  })
}

/**
 * Full incidents with their timelines, newest entry first, in a constant number of queries. Items and stages are in the language
 * of the reader; `words` has the texts of the incidents and of their entries.
 */
async function present(tx: EntityManager, incidents: Incident[], reading: Reading) {
  const ids = incidents.map((incident) => incident.id)
  if (ids.length === 0) return { full: [], words: await wordsFor(tx, inOriginal, {}) }
  // The queries below bypass the ORM, which may still hold unwritten changes.
  await tx.flush()
  const stages = await incidentStages(tx)
  const timelines = await timelinesOf(tx, ids)
  const held = await itemsHeldBy(tx, ids)
  const ancestors = await withAncestors(
    tx,
    held.map(({ id }) => id),
  )
  const records = { incident: incidents, incident_update: timelines }
  const words = await wordsFor(tx, reading, { ...records, item: [...ancestors.values()], lifecycle_stage: stages })
  const shown = stages.map(stagePresenter('incident', reading, words))
  const stageOf = new Map(shown.map((stage) => [stage.id, stage]))
  const presentEntry = entryPresenter(shown)
  const summaryOf = summaryPresenter(ancestors, words)
  const entries = grouped(timelines)
  const items = grouped(held)
  const full = incidents.map((incident) => ({
    ...presentAlone(incident, stageOf.get(incident.lifecycle_stage_id ?? 0)),
    affected_items: (items.get(incident.id) ?? []).map(summaryOf),
    updates: (entries.get(incident.id) ?? []).map(presentEntry),
  }))
  return { full, words }
}

/** A new full incident without entries, items and translations, which needs no query. */
export const presentNew = (incident: Incident, stage: StageWords | undefined) => ({
  ...presentAlone(incident, stage && presentStage(stage)),
  translations: [],
})

function presentAlone(incident: Incident, stage: ReturnType<typeof presentStage> | undefined) {
  return {
    ...snapshotIncident(incident),
    lifecycle_stage: stage,
    affected_items: [],
    updates: [],
  }
}

function grouped<T extends { incident_id: number }>(rows: T[]): Map<number, T[]> {
  return Map.groupBy(rows, (row) => row.incident_id)
}

const namesInFull = lacking(incidentFields, 'compact')
const privateNames = { external_id: true, ...lacking(incidentFields, 'public') }

/** Removes the fields that only operators need. */
const asPublic = <T extends object>(incident: T) => without(incident, privateNames)
