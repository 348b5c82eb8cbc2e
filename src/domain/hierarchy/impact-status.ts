import type { EntityManager } from '@mikro-orm/postgresql'
import { Incident } from '../../persistence/entities/incident.ts'
import { IncidentImpact } from '../../persistence/entities/incident-impact.ts'
import { IncidentUpdate } from '../../persistence/entities/incident-update.ts'
import { workDuring } from '../../persistence/hierarchy.ts'
import { statusTypes } from '../vocabulary/lookup.ts'
import { MAINTENANCE, worst } from '../vocabulary/rules.ts'
import { impactStretches } from './history-backfill-rules.ts'
import type { Held } from './history-rules.ts'

/** The statuses that incidents and maintenances gave each item directly in a time of the past. */
export async function impactStatuses(
  tx: EntityManager,
  itemIds: number[],
  { from, to }: { from: number; to: number },
): Promise<Map<number, Held[]>> {
  const [since, until] = [new Date(from), new Date(to)]
  const impacts = await tx.find(IncidentImpact, {
    item_id: { $in: itemIds },
    start_time: { $lt: until },
    $or: [{ end_time: null }, { end_time: { $gt: since } }],
  })
  const incidents = await coursesOf(tx, [...new Set(impacts.map(({ incident_id }) => incident_id))])
  const types = await statusTypes(tx)
  const milder = (one: string, other: string) => (worst(types, [one, other]) === one ? other : one)
  const byIncident = impacts.flatMap(({ incident_id, item_id, status, start_time, end_time }) => {
    const stretch = { from: start_time.getTime(), to: end_time?.getTime() ?? Number.POSITIVE_INFINITY }
    return impactStretches(stretch, status, incidents.get(incident_id)!, milder).map((held) => ({ item_id, ...held }))
  })
  const byWork = (await workDuring(tx, itemIds, since, until)).map(({ item_id, started_at, ended_at }) => ({
    item_id,
    from: new Date(started_at).getTime(),
    to: ended_at === null ? Number.POSITIVE_INFINITY : new Date(ended_at).getTime(),
    status: MAINTENANCE,
  }))
  return Map.groupBy([...byIncident, ...byWork], ({ item_id }) => item_id)
}

/** The recorded statuses of incidents. */
async function coursesOf(tx: EntityManager, ids: number[]) {
  if (ids.length === 0) return new Map()
  const incidents = await tx.find(Incident, { id: { $in: ids } })
  const entries = await tx.find(IncidentUpdate, { incident_id: { $in: ids } }, { orderBy: { id: 'asc' } })
  const timelines = Map.groupBy(entries, ({ incident_id }) => incident_id)
  return new Map(
    incidents.map(({ id, initial_status: initial, status: current }) => [
      id,
      { initial, current, timeline: timelines.get(id) ?? [] },
    ]),
  )
}
