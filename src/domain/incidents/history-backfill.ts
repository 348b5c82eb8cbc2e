import { Incident } from '../../persistence/entities/incident.ts'
import { IncidentImpact } from '../../persistence/entities/incident-impact.ts'
import { IncidentUpdate } from '../../persistence/entities/incident-update.ts'
import { withAncestors } from '../../persistence/hierarchy.ts'
import { rewritePast } from '../hierarchy/history.ts'
import {
  impactStretches,
  newStretches,
  type Statuses,
  type Stretch,
  startProblem,
} from '../hierarchy/history-backfill-rules.ts'
import { invalid } from '../kernel/errors.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { statusTypes } from '../vocabulary/lookup.ts'
import { worst } from '../vocabulary/rules.ts'

type BackfilledIncident = Pick<Incident, 'id' | 'initial_status' | 'status'>

interface PastImpact {
  item_id: number
  /** null: the status of the incident. */
  status: string | null
  stretches: Stretch[]
}

/** Adds past impacts to the status history of items, for every operation. `recomputeStatuses` handles the present. */
export async function backfillHistory(
  work: WorkContext,
  incident: BackfilledIncident,
  impacts: PastImpact[],
  { only, notify = true }: { only?: Map<number, unknown>; notify?: boolean } = {},
): Promise<void> {
  const { tx, pageId, now } = work
  const past = impacts.filter(({ stretches }) => stretches.length > 0)
  if (past.length === 0) return
  const types = await statusTypes(tx)
  const milder = (a: string, b: string) => (worst(types, [a, b]) === a ? b : a)
  const statuses = await statusesOf(work, incident, past)
  const cause = { kind: 'incident', id: incident.id }
  for (const alike of Map.groupBy(past, ({ status, stretches }) => JSON.stringify([status, stretches])).values()) {
    const { status, stretches } = alike[0]!
    const held = stretches.flatMap((stretch) => impactStretches(stretch, status, statuses, milder))
    await rewritePast(tx, { pageId, now, cause, itemIds: alike.map(({ item_id }) => item_id), held, only, notify })
  }
}

/** The status at its end of an impact that has the status of the incident, from the timeline. */
export async function statusAtEnd(work: WorkContext, incident: Incident, start: Date, end: Date): Promise<string> {
  const stretch = { from: start.getTime(), to: end.getTime() }
  const statuses = await statusesOf(work, incident, [{ item_id: 0, status: null, stretches: [] }])
  const types = await statusTypes(work.tx)
  const milder = (a: string, b: string) => (worst(types, [a, b]) === a ? b : a)
  const last = impactStretches({ ...stretch, from: Math.min(stretch.from, stretch.to - 1) }, null, statuses, milder).at(
    -1,
  )
  return last?.status ?? incident.status
}

async function statusesOf({ tx }: WorkContext, incident: BackfilledIncident, impacts: PastImpact[]): Promise<Statuses> {
  const { id: incident_id, initial_status: initial, status: current } = incident
  const follows = impacts.some(({ status }) => status === null)
  const timeline = follows ? await tx.find(IncidentUpdate, { incident_id }, { orderBy: { id: 'asc' } }) : []
  return { initial, current, timeline }
}

/**
 * Impacts of these items ended in the past. The ended impacts hid other impacts since then, on the items and below their
 * parents; those other impacts become status events now.
 */
export async function backfillUncovered(work: WorkContext, since: Date, itemIds: number[]): Promise<void> {
  const { tx, now } = work
  if (since >= now || itemIds.length === 0) return
  const during = { start_time: { $lt: now }, $or: [{ end_time: null }, { end_time: { $gt: since } }] }
  const impacts = await tx.find(IncidentImpact, during)
  const lifted = await withAncestors(tx, itemIds)
  const tree = await withAncestors(
    tx,
    impacts.map(({ item_id }) => item_id),
  )
  const reaches = (id: number | null | undefined): boolean =>
    id != null && (lifted.has(id) || reaches(tree.get(id)?.parent_id))
  const hidden = Map.groupBy(
    impacts.filter(({ item_id }) => reaches(item_id)),
    ({ incident_id }) => incident_id,
  )
  for (const incident of await tx.find(Incident, { id: { $in: [...hidden.keys()] } }, { orderBy: { id: 'asc' } })) {
    const past = hidden.get(incident.id)!.map(({ item_id, status, start_time, end_time }) => {
      const from = Math.max(start_time.getTime(), since.getTime())
      const to = Math.min(end_time?.getTime() ?? now.getTime(), now.getTime())
      return { item_id, status, stretches: from < to ? [{ from, to }] : [] }
    })
    await backfillHistory(work, incident, past, { only: lifted })
  }
}

/** Moves the start of an incident, and of the impacts that began at the old start and had not ended by the new start. */
export async function moveStart(work: WorkContext, incident: Incident, start: Date): Promise<void> {
  const { tx, now } = work
  if (start.getTime() === incident.started_at.getTime()) return
  const { id: incident_id, started_at, acknowledged_at, resolved_at } = incident
  const first = await tx.findOne(IncidentUpdate, { incident_id }, { orderBy: { created_at: 'asc' } })
  const course = { started_at, acknowledged_at, resolved_at, first_entry_at: first?.created_at }
  const problem = startProblem(start, course, now)
  if (problem) throw invalid([{ path: 'started_at', message: problem }])
  const began = await tx.find(IncidentImpact, { incident_id, start_time: started_at })
  const moved = began
    .filter(({ end_time }) => end_time === null || end_time >= start)
    .map((impact) => {
      const { item_id, status, end_time } = impact
      const stretches = newStretches(impact, { start_time: start, end_time }, now)
      impact.start_time = start
      return { item_id, status, stretches }
    })
  incident.started_at = start
  await backfillHistory(work, incident, moved)
}
