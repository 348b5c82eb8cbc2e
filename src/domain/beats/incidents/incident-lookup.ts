import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { BeatAction } from '../../../persistence/entities/beat-action.ts'
import { Incident } from '../../../persistence/entities/incident.ts'
import { refusals } from '../../incidents/state-rules.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { settingsOf } from '../../settings/stored.ts'
import { incidentName } from '../definition/naming-rules.ts'
import { type Owner, ownedBy } from '../definition/owner.ts'
import type { ActionPolicy } from '../definition/policies.ts'

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

/** Why a resolved incident is not reopened, as a sentence; null if the policy and the page allow to reopen the incident. */
export async function reopeningProblem(
  { tx, now, minuteMs }: WorkContext,
  incident: Incident,
  { reopen_within_minutes: minutes = 0 }: ActionPolicy,
): Promise<string | null> {
  const name = incidentName(incident)
  if (minutes === 0) return `The ${name} is resolved, and the action policy sets no reopen_within_minutes.`
  if (now.getTime() - (incident.resolved_at?.getTime() ?? 0) > minutes * minuteMs) {
    return `The ${name} was resolved more than ${minutes} minutes ago, which is the reopen_within_minutes of the action policy.`
  }
  return (await settingsOf(tx)).allow_reopening_closed_incidents ? null : refusals['closed for good'].message
}
