import type { EntityManager } from '@mikro-orm/postgresql'
import type { Incident } from '../../persistence/entities/incident.ts'
import { IncidentImpact } from '../../persistence/entities/incident-impact.ts'
import { IncidentUpdate } from '../../persistence/entities/incident-update.ts'
import { recomputeStatuses } from '../hierarchy/statuses.ts'
import { invalid } from '../kernel/errors.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { addNotification } from '../notifications/announce.ts'
import { automaticStatusText, automaticText } from '../vocabulary/automatic-text-rules.ts'
import { stagesOf, statusTypes } from '../vocabulary/lookup.ts'
import { lastStage, RESOLVED } from '../vocabulary/rules.ts'
import { backfillUncovered } from './history-backfill.ts'
import { reminderWords, writeDueReminder } from './reminder.ts'
import { endImpact, resolvedAtProblem } from './rules.ts'

export interface NewUpdate {
  message: string
  /** `resolved` resolves an open incident; an open status opens a resolved one. */
  status: string
  stageId?: number | null
  /** When the incident was over; absent for now. */
  at?: Date
  /** For an entry that reopens the incident: its affected items; absent for the items whose impact the resolution ended. */
  items?: number[]
  /** The new reminder interval; a reminder that is due under the old interval is written first. */
  interval?: number | null
  notify: boolean
}

/** Writes a timeline entry, applies its status and stage to the incident, and restarts the reminder interval. */
export async function writeUpdate(work: WorkContext, incident: Incident, entry: NewUpdate): Promise<IncidentUpdate> {
  const { tx, now, pageId } = work
  const reminded = writeDueReminder(work, incident)
  if (entry.interval !== undefined) incident.reminder_interval_minutes = entry.interval
  const resolves = entry.status === RESOLVED && !incident.resolved_at
  const reopens = entry.status !== RESOLVED && incident.resolved_at !== null
  const at = await entryTime(work, incident, entry, resolves)
  const moved = incident.status !== entry.status
  const update = tx.create(IncidentUpdate, {
    page_id: pageId,
    incident_id: incident.id,
    message: entry.message,
    status: entry.status,
    previous_status: incident.status,
    is_resolution: resolves,
    lifecycle_stage_id: await stageAfter(work, incident, entry, resolves),
    previous_lifecycle_stage_id: incident.lifecycle_stage_id,
    created_at: at,
    updated_at: now,
  })
  const ended = resolves ? await endOpenImpacts(tx, incident, at) : []
  if (reopens) await reopenImpacts(work, incident, entry.items)
  incident.status = entry.status
  incident.lifecycle_stage_id = update.lifecycle_stage_id
  incident.reminders_from = now
  incident.quiet_from = now
  incident.updated_at = now
  incident.version += 1
  await tx.flush()
  work.reached('entry written')
  if (moved) await followStatuses(work, incident, { since: at, notify: entry.notify })
  if (resolves) await backfillUncovered(work, at, ended)
  work.reached('items moved')
  const effect = effectOf(update, { resolves, reopens })
  work.wake(
    { kind: 'incident', id: incident.id },
    `update ${update.id}${effect}${reminded}${reminderWords(work, incident)}`,
  )
  announce(work, incident, update, entry.notify)
  return update
}

/** What an update did to the incident, for the note of the wake-up. */
function effectOf(
  { status, previous_status }: IncidentUpdate,
  { resolves, reopens }: { resolves: boolean; reopens: boolean },
): string {
  if (resolves) return ', which resolved the incident'
  if (reopens) return `, which reopened the incident with status "${status}"`
  return status === previous_status ? '' : `, which changed the status from "${previous_status}" to "${status}"`
}

/** An entry is never earlier than the entry before it, which can lie ahead of now if the clock of a client was ahead. */
async function entryTime(
  { tx, now }: WorkContext,
  incident: Incident,
  { at }: NewUpdate,
  resolves: boolean,
): Promise<Date> {
  const { id: incident_id, started_at } = incident
  const newest = await tx.findOne(IncidentUpdate, { incident_id }, { orderBy: { id: 'desc' } })
  const newest_entry_at = newest?.created_at
  if (at) {
    const problem = resolvedAtProblem({ started_at, newest_entry_at }, at, now)
    if (problem) throw invalid([{ path: 'resolved_at', message: problem }])
    return at
  }
  const known = [now, newest_entry_at, resolves ? started_at : undefined]
  return new Date(Math.max(...known.map((moment) => moment?.getTime() ?? 0)))
}

async function stageAfter(
  { tx }: WorkContext,
  incident: Incident,
  { stageId }: NewUpdate,
  resolves: boolean,
): Promise<number | null> {
  if (stageId !== undefined) return stageId
  if (!resolves) return incident.lifecycle_stage_id
  return lastStage(await stagesOf(tx, 'incident'))?.id ?? incident.lifecycle_stage_id
}

/** Ends the open impacts of a resolved incident and returns their items. */
async function endOpenImpacts(tx: EntityManager, incident: Incident, at: Date): Promise<number[]> {
  incident.resolved_at = at
  const open = await tx.find(IncidentImpact, { incident_id: incident.id, end_time: null })
  for (const impact of open) {
    endImpact(impact, at, incident.status)
    impact.ended_by_resolution = true
  }
  return open.map((impact) => impact.item_id)
}

/** Reopens the impacts that the resolution ended, or those of `items`; the time between stays a time without impact. */
async function reopenImpacts({ tx, now, pageId }: WorkContext, incident: Incident, items?: number[]): Promise<void> {
  const lasting = { incident_id: incident.id, ended_by_resolution: true }
  const ended = await tx.find(IncidentImpact, lasting, { orderBy: { id: 'desc' } })
  for (const impact of ended) impact.ended_by_resolution = false
  // An impact of the past that was added later can end at the resolution too; an item gets one open impact.
  const byItem = new Map(ended.map((impact) => [impact.item_id, impact]))
  for (const item_id of items ?? byItem.keys()) {
    const status = byItem.get(item_id)?.status ?? null
    tx.create(IncidentImpact, {
      page_id: pageId,
      incident_id: incident.id,
      ...{ item_id, status },
      start_time: now,
      end_time: null,
      ended_status: null,
      ended_by_resolution: false,
    })
  }
  incident.resolved_at = null
}

/** Recomputes the statuses of items after a change of the incident. */
export async function followStatuses(
  { tx, pageId, now }: WorkContext,
  incident: Incident,
  { since = now, notify = true }: { since?: Date; notify?: boolean } = {},
): Promise<void> {
  if ((await tx.count(IncidentImpact, { incident_id: incident.id })) === 0) return
  await recomputeStatuses(tx, { pageId, now, cause: { kind: 'incident', id: incident.id }, since, notify })
}

/** The default message of an entry. */
export async function defaultMessage({ tx }: Pick<WorkContext, 'tx'>, status: string): Promise<string> {
  if (status === RESOLVED) return automaticText('resolved')
  const type = (await statusTypes(tx)).find(({ key }) => key === status)
  return automaticStatusText(type?.name ?? status)
}

/** The event key of the notification about an entry. */
export const keyOf = ({ is_resolution }: IncidentUpdate) => (is_resolution ? 'incident.resolved' : 'incident.updated')

function announce(work: WorkContext, incident: Incident, update: IncidentUpdate, notify: boolean): void {
  addNotification(work, {
    key: keyOf(update),
    kind: 'incident',
    id: incident.id,
    natural: `update:${update.id}`,
    data: { update_id: update.id, status: update.status },
    notify,
  })
}
