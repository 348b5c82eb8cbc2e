import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { BeatAction } from '../../../persistence/entities/beat-action.ts'
import { Incident } from '../../../persistence/entities/incident.ts'
import { type Owner, ownedBy } from './owner.ts'

/** The incident with this id, locked. */
export const lockIncident = (tx: EntityManager, id: number): Promise<Incident | null> =>
  tx.findOne(Incident, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })

/** The same, unless the incident is resolved or deleted. */
export async function lockOpenIncident(tx: EntityManager, id: number | null): Promise<Incident | null> {
  const incident = id === null ? null : await lockIncident(tx, id)
  return incident?.resolved_at ? null : incident
}

/** The incident of the owner, locked: the current one, or else the incident of the last executed action. */
export async function lockLastIncident(
  tx: EntityManager,
  owner: Pick<Owner, 'kind' | 'record'>,
): Promise<Incident | null> {
  const { current_incident_id: current } = owner.record
  const executed = { ...ownedBy(owner), state: 'executed' as const, incident_id: { $ne: null } }
  const id = current ?? (await tx.findOne(BeatAction, executed, { orderBy: { id: 'desc' } }))?.incident_id
  return id ? lockIncident(tx, id) : null
}
