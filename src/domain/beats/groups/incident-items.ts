import type { Beat } from '../../../persistence/entities/beat.ts'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { HierarchyItem } from '../../../persistence/entities/hierarchy-item.ts'
import type { Incident } from '../../../persistence/entities/incident.ts'
import { addMissingImpacts, endImpacts } from '../../incidents/open-incident.ts'
import type { StepContext } from '../../kernel/step.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { beatName, groupName, incidentName, itemNames } from '../definition/naming-rules.ts'
import { lockOpenIncident } from '../incidents/incident-lookup.ts'
import { isIll } from '../stage/stage-rules.ts'
import { itemsOf } from '../stage/suppression.ts'
import { membersOf } from './member-stages.ts'

/** An open incident of a group affects the items of the group, and those of the members that are ill now. */

const illIds = (members: Beat[]) =>
  members.filter(({ enabled, counted_stage }) => enabled && isIll(counted_stage)).map(({ id }) => id)

export async function affectedItems(work: Pick<WorkContext, 'tx'>, group: BeatGroup, members: Beat[]) {
  const own = await itemsOf(work, 'beat_group', [group.id])
  return [...new Set([...own, ...(await itemsOf(work, 'beat', illIds(members)))])]
}

/** Items of ill members join the open incident, and items of healthy members leave it. No update is posted. */
export async function syncIncidentItems(ctx: StepContext, group: BeatGroup, members: Beat[]): Promise<void> {
  const incident = await lockOpenIncident(ctx.tx, group.current_incident_id)
  if (!incident) return
  const affected = await affectedItems(ctx, group, members)
  const all = await itemsOf(
    ctx,
    'beat',
    members.map(({ id }) => id),
  )
  const added = await addMissingImpacts(ctx, incident, affected)
  const ended = await endImpacts(
    ctx,
    incident,
    all.filter((id) => !affected.includes(id)),
  )
  const name = incidentName(incident)
  if (added.length > 0) ctx.note('items', `the ${name} also affects ${await namesOf(ctx, added)}`)
  if (ended.length > 0) ctx.note('items', `the ${name} no longer affects ${await namesOf(ctx, ended)}`)
}

/**
 * A beat leaves its group or is deleted, in the transaction that does it and under the lock of the group: its items leave
 * the open incident, which stays with the group. Answers the reason with which the group is woken.
 */
export async function removeMember(work: WorkContext, group: BeatGroup, beat: Beat, how: string): Promise<string> {
  const stage = beat.counted_stage
  beat.counted_stage = null
  const reason = `the ${beatName(beat)} ${how}`
  if (!isIll(stage)) return reason
  const incident = await lockOpenIncident(work.tx, group.current_incident_id)
  if (!incident) return `${reason} while ${stage}`
  const others = (await membersOf(work, group)).filter(({ id }) => id !== beat.id)
  const kept = await affectedItems(work, group, others)
  const gone = (await itemsOf(work, 'beat', [beat.id])).filter((id) => !kept.includes(id))
  const ended = await endImpacts(work, incident, gone)
  return `${reason} while ${stage}: ${await withoutItems(work, incident, ended)}, and stays with the ${groupName(group)}`
}

/** The same for a member whose record has its new group already, or is about to be deleted. */
export async function removeMemberById(work: WorkContext, groupId: number, beat: Beat, how: string): Promise<void> {
  const group = await work.tx.findOneOrFail(BeatGroup, { id: groupId }, { refresh: true })
  work.wake({ kind: 'beat-group', id: groupId }, await removeMember(work, group, beat, how))
}

const withoutItems = async (work: WorkContext, incident: Incident, ended: number[]) =>
  ended.length === 0
    ? `the ${incidentName(incident)} keeps its items`
    : `the ${incidentName(incident)} no longer affects ${await namesOf(work, ended)}`

const namesOf = async ({ tx }: Pick<WorkContext, 'tx'>, ids: number[]) =>
  itemNames(await tx.find(HierarchyItem, { id: { $in: ids } }, { orderBy: { id: 'asc' } }))
