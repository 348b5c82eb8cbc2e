import { Incident } from '../../persistence/entities/incident.ts'
import { IncidentImpact } from '../../persistence/entities/incident-impact.ts'
import { insertRow } from '../../persistence/rows.ts'
import { newStretches } from '../hierarchy/history-backfill-rules.ts'
import { recomputeStatuses } from '../hierarchy/statuses.ts'
import { defaultsOf, type Given, newValues } from '../kernel/fields.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { addNotification } from '../notifications/announce.ts'
import { settingsOf } from '../settings/stored.ts'
import { followStatuses } from './add-update.ts'
import { incidentFields } from './fields.ts'
import { backfillHistory } from './history-backfill.ts'
import { creationOf, reminderWords } from './reminder.ts'
import { endImpact } from './rules.ts'

type Keys = Pick<Incident, 'started_at' | 'external_id' | 'create_hash'>

export interface NewIncident extends Given<typeof incidentFields>, Partial<Keys> {
  title: string
  status: string
  lifecycle_stage_id: number | null
  /** The ids of the affected items. */
  items: number[]
  notify: boolean
}

/** The values of the fields that a create or a PUT leaves out. */
export const incidentDefaults = async ({ tx }: Pick<WorkContext, 'tx'>) => {
  const { reminder_interval_minutes } = await settingsOf(tx)
  return defaultsOf(incidentFields, { reminder_interval_minutes })
}

/** Creates an incident with its impacts. The caller has validated status and stage. */
export async function openIncident(work: WorkContext, opening: NewIncident): Promise<Incident> {
  const { tx, now, pageId } = work
  const { items, notify, status, lifecycle_stage_id, started_at = now } = opening
  const incident = await insertRow(tx, Incident, {
    page_id: pageId,
    ...newValues(incidentFields, opening, await incidentDefaults(work)),
    status,
    initial_status: status,
    lifecycle_stage_id,
    external_id: opening.external_id ?? null,
    create_hash: opening.create_hash ?? null,
    reminders_from: now,
    quiet_from: now,
    alerted_for: null,
    reminded_until: null,
    started_at,
    acknowledged_at: null,
    resolved_at: null,
    version: 1,
    created_at: now,
    updated_at: now,
  })
  work.reached('entry written')
  addImpacts(work, incident, items, started_at)
  if (items.length > 0) {
    const cause = { kind: 'incident', id: incident.id }
    const stretches = newStretches(undefined, { start_time: started_at, end_time: null }, now)
    const impacts = items.map((item_id) => ({ item_id, status, stretches }))
    await backfillHistory(work, incident, impacts, { notify })
    await recomputeStatuses(tx, { pageId, now, cause, notify })
  }
  work.reached('items moved')
  addNotification(work, { key: 'incident.created', kind: 'incident', id: incident.id, natural: 'created', notify })
  work.wake({ kind: 'incident', id: incident.id }, `${creationOf(incident)}${reminderWords(work, incident)}`)
  return incident
}

/** Opens impacts with the status of the incident on items without an open impact. */
export function addImpacts(
  { tx, pageId }: WorkContext,
  incident: Pick<Incident, 'id'>,
  items: number[],
  since: Date,
): void {
  for (const item_id of items) {
    tx.create(IncidentImpact, {
      page_id: pageId,
      incident_id: incident.id,
      item_id,
      status: null,
      start_time: since,
      end_time: null,
      ended_status: null,
      ended_by_resolution: false,
    })
  }
}

/** Opens impacts on the items that have none. Returns the added items. */
export async function addMissingImpacts(work: WorkContext, incident: Incident, items: number[]): Promise<number[]> {
  const { tx, now } = work
  const held = await tx.find(IncidentImpact, { incident_id: incident.id, end_time: null })
  const more = items.filter((id) => !held.some((impact) => impact.item_id === id))
  if (more.length === 0) return []
  addImpacts(work, incident, more, now)
  incident.version += 1
  incident.updated_at = now
  await tx.flush()
  await followStatuses(work, incident)
  return more
}

/** Ends the impacts on these items that have the status of the incident. Returns the items of the ended impacts. */
export async function endImpacts(work: WorkContext, incident: Incident, items: number[]): Promise<number[]> {
  const { tx, now } = work
  const following = { incident_id: incident.id, end_time: null, status: null, item_id: { $in: items } }
  const ended = await tx.find(IncidentImpact, following)
  if (ended.length === 0) return []
  for (const impact of ended) endImpact(impact, now, incident.status)
  incident.version += 1
  incident.updated_at = now
  await tx.flush()
  await followStatuses(work, incident)
  return ended.map(({ item_id }) => item_id)
}

/** The items with an open impact of the incident. */
export async function impactedItems({ tx }: Pick<WorkContext, 'tx'>, incidentId: number | null): Promise<number[]> {
  if (incidentId === null) return []
  const open = { incident_id: incidentId, end_time: null }
  return (await tx.find(IncidentImpact, open, { orderBy: { id: 'asc' } })).map(({ item_id }) => item_id)
}
