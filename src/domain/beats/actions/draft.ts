import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { Beat } from '../../../persistence/entities/beat.ts'
import { BeatAction } from '../../../persistence/entities/beat-action.ts'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import { Incident } from '../../../persistence/entities/incident.ts'
import { impactedItems } from '../../incidents/open-incident.ts'
import { refusals } from '../../incidents/state-rules.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { settingsOf } from '../../settings/stored.ts'
import { statusTypes } from '../../vocabulary/lookup.ts'
import { defaultIncidentStatus, RESOLVED } from '../../vocabulary/rules.ts'
import { incidentName } from '../definition/naming-rules.ts'
import type { ActionPolicy } from '../definition/policies.ts'
import type { Stage } from '../stage/stage-rules.ts'
import { affectsNothing, NOTHING_AFFECTED } from './affected.ts'
import { type DraftKind, decide, statusOf, type Told } from './decide-rules.ts'
import { type Owner, ownedBy } from './owner.ts'
import { freetextOf, type Said, wordsFor } from './wording.ts'

/** What an action would post, as it was decided when the stage changed. */
export interface Draft extends Said {
  kind: DraftKind
  /** Of an incident that is there already. */
  incident_id?: number
  incident_status: string
  lifecycle_stage_name?: string
  reminder_interval_minutes?: number | null
  impact: string | null
  affected_items_freetext: string | null
  items: number[]
  /** Of members that are well again. */
  releases?: number[]
}

/** What the policy says to this change of stage, or why it says nothing. */
export async function draftOf(
  work: WorkContext,
  owner: Owner,
  transition: BeatTransition,
  policy: ActionPolicy,
  from = owner.record.acted_stage,
): Promise<Draft | { nothing: string }> {
  const { record, voice, items } = owner
  const to = transition.to_stage as Stage
  const types = await statusTypes(work.tx)
  const named = policy.incident_status
  const operational = types.some(({ key, is_operational }) => key === named && is_operational)
  const status = named === undefined || named === RESOLVED || operational ? undefined : named
  const { told, incident } = await toldOf(work, owner, to, policy)
  const kind = decide({ from: from as Stage | null, to, told, staysOpen: status !== undefined })
  if (typeof kind !== 'string') return kind
  const opens = kind === 'open' || kind === 'reopen'
  const affected_items_freetext = freetextOf(owner)
  if (opens && (await affectsNothing(work, owner, { items, affected_items_freetext })))
    return { nothing: NOTHING_AFFECTED }
  const ill = status ?? statusOf(to, types, defaultIncidentStatus(types)) ?? ''
  return {
    kind,
    ...(incident && kind !== 'open' ? { incident_id: incident.id } : {}),
    ...(await wordsFor(work, owner, transition)),
    incident_status: kind === 'resolve' ? RESOLVED : ill,
    ...(policy.lifecycle_stage_name === undefined ? {} : { lifecycle_stage_name: policy.lifecycle_stage_name }),
    ...(policy.reminder_interval_minutes === undefined
      ? {}
      : { reminder_interval_minutes: policy.reminder_interval_minutes }),
    // A group may leave it to its members to say what is affected.
    impact: record.impact ?? voice.impact,
    affected_items_freetext,
    items,
    ...(incident && (kind === 'update' || kind === 'reopen') ? await releasesOf(work.tx, owner, incident) : {}),
  }
}

/** Items of which its actions told in this incident, and that are affected no more. */
export async function releasesOf(tx: EntityManager, owner: Owner, { id }: Incident): Promise<Pick<Draft, 'releases'>> {
  if (!owner.well?.length) return {}
  const told = await tx.find(BeatAction, { ...ownedBy(owner), incident_id: id, state: 'executed' })
  const items = told.flatMap(({ draft }) => (draft as unknown as Draft).items)
  const held = await impactedItems({ tx }, id)
  const releases = held.filter((one) => items.includes(one) && owner.well!.includes(one) && !owner.items.includes(one))
  return releases.length > 0 ? { releases } : {}
}

type Acting = Pick<Owner, 'kind' | 'record'>

export const lockIncident = (tx: EntityManager, id: number): Promise<Incident | null> =>
  tx.findOne(Incident, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })

async function toldOf(
  work: WorkContext,
  owner: Owner,
  to: Stage,
  policy: ActionPolicy,
): Promise<{ told: Told; incident?: Incident }> {
  const { current_incident_id: current } = owner.record
  const incident = await lastTold(work, owner)
  if (!incident) return { told: current === null ? 'none' : 'ended' }
  if (!incident.resolved_at) {
    // Whoever has opened it again by hand ends it as well, unless what acts falls ill before that.
    const counts = (current !== null || to !== 'healthy') && (await goesOn(work, owner, incident))
    return counts ? { told: 'open', incident } : { told: 'none' }
  }
  const again = (await closedFor(work, incident, policy)) === null
  if (current === null) return again ? { told: 'recovered lately', incident } : { told: 'none' }
  return { told: again ? 'ended lately' : 'ended', incident }
}

/** The incident by which it is told, ours alone: if there is none, that of the last action that was carried out. */
export async function lastTold({ tx }: Pick<WorkContext, 'tx'>, owner: Acting): Promise<Incident | null> {
  const { current_incident_id: current } = owner.record
  const told = { ...ownedBy(owner), state: 'executed' as const, incident_id: { $ne: null } }
  const id = current ?? (await tx.findOne(BeatAction, told, { orderBy: { id: 'desc' } }))?.incident_id
  return id ? lockIncident(tx, id) : null
}

/** Whether an incident that it has told is open, be it that recovery had ended it, and not told by others by now. */
export async function goesOn(
  { tx }: Pick<WorkContext, 'tx'>,
  { record }: Acting,
  incident: Incident,
): Promise<boolean> {
  if (incident.resolved_at) return false
  if (record.current_incident_id === incident.id) return true
  // A group has passed it on to a member that left it, or a member to its group.
  const theirs = { current_incident_id: incident.id }
  return (await tx.count(Beat, theirs)) + (await tx.count(BeatGroup, theirs)) === 0
}

/** Why an incident that is over is not opened again; null if it may be. */
export async function closedFor(
  { tx, now, minuteMs }: WorkContext,
  incident: Incident,
  { reopen_within_minutes: minutes = 0 }: ActionPolicy,
): Promise<string | null> {
  const { resolved_at } = incident
  const name = incidentName(incident)
  if (minutes === 0) return `The ${name} is over, and by the policy no incident is opened again.`
  if (now.getTime() - (resolved_at?.getTime() ?? 0) > minutes * minuteMs) {
    return `The ${name} was resolved more than ${minutes} minutes ago: by the policy it is not opened again.`
  }
  return (await settingsOf(tx)).allow_reopening_closed_incidents ? null : refusals['closed for good'].message
}
