import type { EntityManager } from '@mikro-orm/postgresql'
import type { Beat } from '../../../persistence/entities/beat.ts'
import { BeatAction } from '../../../persistence/entities/beat-action.ts'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { Incident } from '../../../persistence/entities/incident.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { type Owner, ownedBy } from '../actions/owner.ts'
import type { ActionPolicies } from '../definition/policies.ts'
import { isIll, type Stage } from '../stage/stage-rules.ts'
import { takesOver } from './told-rules.ts'

/** What an incident tells that passes from a beat to its group or back, and who is to end it. */

type Reading = Pick<WorkContext, 'tx'>

/**
 * The stage that was posted in it last, by whom it was told then. The mark of a beat or a group says another thing: it
 * moves as well where nothing was posted.
 */
export async function stagePosted({ tx }: Reading, { id }: Pick<Incident, 'id'>): Promise<Stage | null> {
  const orderBy = { executed_at: 'desc', id: 'desc' } as const
  const last = await tx.findOne(BeatAction, { incident_id: id, state: 'executed' }, { orderBy })
  return (last?.stage ?? null) as Stage | null
}

/** A member that has an incident of its own goes on telling it by itself, where its group would not see it to its end. */
export async function tellsByItself({ tx }: Reading, beat: Beat, stage: string, among?: BeatGroup): Promise<boolean> {
  if (beat.current_incident_id === null || beat.beat_group_id === null || !isIll(stage)) return false
  const group = among ?? (await tx.findOne(BeatGroup, { id: beat.beat_group_id }))
  if (!group || takesOver(group.action_policies as ActionPolicies, stage)) return false
  return isOpen(tx, beat.current_incident_id)
}

/** Others have told in the incident, who would have ended it: whoever has it now does so, or somebody is asked. */
export async function inheritedIncident({ tx }: Reading, owner: Pick<Owner, 'kind' | 'record'>): Promise<boolean> {
  const { current_incident_id: incident_id } = owner.record
  if (incident_id === null || !(await isOpen(tx, incident_id))) return false
  const { owner_kind, owner_id } = ownedBy(owner)
  const others = { $or: [{ owner_kind: { $ne: owner_kind } }, { owner_id: { $ne: owner_id } }] }
  return (await tx.count(BeatAction, { incident_id, state: 'executed', ...others })) > 0
}

const isOpen = async (tx: EntityManager, id: number) => (await tx.count(Incident, { id, resolved_at: null })) > 0
