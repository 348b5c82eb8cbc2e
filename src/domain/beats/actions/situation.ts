import type { Beat } from '../../../persistence/entities/beat.ts'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { Incident } from '../../../persistence/entities/incident.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { statusTypes } from '../../vocabulary/lookup.ts'
import { RESOLVED } from '../../vocabulary/rules.ts'
import { groupName, incidentName } from '../definition/naming-rules.ts'
import { nameOf, type Owner } from '../definition/owner.ts'
import { type ActionPolicies, type ActionPolicy, policyStageOf } from '../definition/policies.ts'
import { lockLastIncident, lockOpenIncident, reopeningProblem } from '../incidents/incident-lookup.ts'
import type { Stage } from '../stage/stage-rules.ts'
import type { Situation } from './action-rules.ts'
import { hasAffectedItems } from './affected-items.ts'
import { freetextOf } from './incident-text.ts'

/** The situation that the rules decide on, and the records behind it. */
export interface Facts extends Situation {
  record: Incident | null
}

interface Options {
  suppressed?: string | null
  /** The stage that the actions reflect, where the owner has moved on since. */
  acted?: string | null
}

/** Reads the situation of the owner at a transition, under the lock of the owner. */
export async function readSituation(
  work: WorkContext,
  owner: Owner,
  { from_stage, to_stage, facts }: Pick<BeatTransition, 'from_stage' | 'to_stage' | 'facts'>,
  { suppressed = null, acted = owner.record.acted_stage }: Options = {},
): Promise<Facts> {
  const { record, items } = owner
  const policy = policyFor(owner, to_stage)
  const group = await actingGroup(work, owner)
  const incident = await lockLastIncident(work.tx, owner)
  return {
    owner: `the ${nameOf(owner)}`,
    suppressed,
    ...{ from: from_stage as Stage | null, to: to_stage as Stage, acted: acted as Stage | null },
    ...{ policy, policyStage: policyStageOf(to_stage) },
    group: group && `the ${groupName(group)}`,
    incident: {
      state: stateOf(record, incident),
      name: incident ? `the ${incidentName(incident)}` : `the incident ${record.current_incident_id}`,
      reopens: incident !== null && (await reopeningProblem(work, incident, policy)) === null,
    },
    staysOpen: (await openStatus(work, policy)) !== undefined,
    affects: await hasAffectedItems(work, owner, { items, affected_items_freetext: freetextOf(owner) }),
    postLimit: facts.public_post_mode,
    record: incident,
  }
}

export const policyFor = ({ record }: Pick<Owner, 'record'>, stage: string): ActionPolicy =>
  (record.action_policies as ActionPolicies)[policyStageOf(stage)] ?? {}

/** The owner keeps `current_incident_id` until it recovers: an incident that is over by then was ended by a person. */
function stateOf({ current_incident_id: current }: Beat | BeatGroup, incident: Incident | null) {
  if (incident && !incident.resolved_at) return 'open'
  if (current !== null) return 'ended by a person'
  return incident ? 'resolved' : 'none'
}

/** The status of the policy that an open incident can have. */
export async function openStatus(
  { tx }: WorkContext,
  { incident_status: named }: ActionPolicy,
): Promise<string | undefined> {
  if (named === undefined || named === RESOLVED) return undefined
  const operational = (await statusTypes(tx)).some(({ key, is_operational }) => key === named && is_operational)
  return operational ? undefined : named
}

/** The group that takes the public actions of a member. An incident that the member opened before stays with the member. */
export async function actingGroup(
  { tx }: Pick<WorkContext, 'tx'>,
  { kind, record }: Pick<Owner, 'kind' | 'record'>,
): Promise<BeatGroup | null> {
  const group = kind === 'beat' ? (record as Beat).beat_group_id : null
  if (group === null || (await lockOpenIncident(tx, record.current_incident_id))) return null
  return tx.findOne(BeatGroup, { id: group })
}
