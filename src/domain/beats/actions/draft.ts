import type { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { Incident } from '../../../persistence/entities/incident.ts'
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
import { lockLastIncident } from './incident-lookup.ts'
import type { Owner } from './owner.ts'
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
}

/** What the policy says to this change of stage, or why it says nothing. */
export async function draftOf(
  work: WorkContext,
  owner: Owner,
  transition: BeatTransition,
  policy: ActionPolicy,
  from = owner.record.acted_stage,
): Promise<Draft | { nothing: string }> {
  const { record, worstBeat, items } = owner
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
    impact: record.impact ?? worstBeat.impact,
    affected_items_freetext,
    items,
  }
}

async function toldOf(
  work: WorkContext,
  owner: Owner,
  to: Stage,
  policy: ActionPolicy,
): Promise<{ told: Told; incident?: Incident }> {
  const { current_incident_id: current } = owner.record
  const incident = await lockLastIncident(work.tx, owner)
  if (!incident) return { told: current === null ? 'none' : 'ended' }
  if (!incident.resolved_at) {
    // Whoever has opened it again by hand ends it as well, unless what acts falls ill before that.
    return current !== null || to !== 'healthy' ? { told: 'open', incident } : { told: 'none' }
  }
  const again = (await closedFor(work, incident, policy)) === null
  if (current === null) return again ? { told: 'recovered lately', incident } : { told: 'none' }
  return { told: again ? 'ended lately' : 'ended', incident }
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
