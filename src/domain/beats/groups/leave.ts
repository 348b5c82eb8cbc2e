import { type FilterQuery, LockMode } from '@mikro-orm/postgresql'
import { Beat } from '../../../persistence/entities/beat.ts'
import type { BeatGroup, Told } from '../../../persistence/entities/beat-group.ts'
import { Incident } from '../../../persistence/entities/incident.ts'
import { endImpacts } from '../../incidents/open-incident.ts'
import type { StepContext } from '../../kernel/step.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { supersede } from '../actions/act.ts'
import { lockIncident } from '../actions/draft.ts'
import { beatName, groupName, incidentName } from '../definition/naming-rules.ts'
import { beatProcess, groupProcess } from '../definition/subject.ts'
import { isIll } from '../stage/stage-rules.ts'
import { itemsOf } from '../stage/suppression.ts'
import { stagePosted } from './own-incident.ts'
import { endedByHand, partingOf, standing } from './told-rules.ts'

/** What a group has told of its members when they leave it, are deleted, or somebody has ended its incident. */

/** The incident of the group, ours alone, if it is open. */
export async function openIncident({ tx }: Pick<WorkContext, 'tx'>, group: BeatGroup): Promise<Incident | null> {
  const incident = group.current_incident_id === null ? null : await lockIncident(tx, group.current_incident_id)
  return incident && !incident.resolved_at ? incident : null
}

/** Somebody has ended the incident: what it told stands no more, and what is worse is told anew. */
export async function noteEnding(ctx: StepContext, group: BeatGroup): Promise<void> {
  if (group.current_incident_id === null || group.told.length === 0 || (await openIncident(ctx, group))) return
  const over = await ctx.tx.findOne(Incident, { id: group.current_incident_id })
  const because = over
    ? `The ${incidentName(over)} of this group is over.`
    : `The incident ${group.current_incident_id} of this group was deleted.`
  group.told = endedByHand(group.told)
  group.current_incident_id = null
  await tellsNothing(ctx, group, because)
  ctx.note('incident', because)
}

/** Lets those go that have left, or were deleted. Answers what became of what it told of them, in words. */
export async function partWith(ctx: StepContext, group: BeatGroup): Promise<string[]> {
  const { tx } = ctx
  const ids = group.told.flatMap(({ beat_id, gone }) => (gone ? [] : [beat_id]))
  const beats = await tx.find(Beat, { $or: [{ id: { $in: ids } }, { left_group_id: group.id }] })
  const away = beats.filter(
    ({ beat_group_id, left_group_id }) => beat_group_id !== group.id || left_group_id === group.id,
  )
  const said: string[] = []
  for (const beat of away.length > 0 ? await lockBeats(ctx, { id: { $in: away.map(({ id }) => id) } }) : []) {
    if (beat.beat_group_id === group.id) beat.left_group_id = null
    else said.push(await letGo(ctx, group, beat))
  }
  for (const id of ids.filter((one) => !beats.some((beat) => beat.id === one))) said.push(await miss(ctx, group, id))
  for (const words of said) ctx.note('member', words)
  if (said.length > 0 && !group.told.some(({ ended }) => !ended)) await tellsNothing(ctx, group, `${said.join('; ')}.`)
  await tx.flush()
  return said
}

export const lockBeats = ({ tx }: Pick<WorkContext, 'tx'>, which: FilterQuery<Beat>): Promise<Beat[]> =>
  tx.find(Beat, which, { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })

/** A beat, ours alone, that is no member any more: it takes the incident that tells of it alone, or acts on what it sees. */
export async function letGo(work: WorkContext, group: BeatGroup, beat: Beat): Promise<string> {
  const one = group.told.find(({ beat_id }) => beat_id === beat.id)
  const incident = one ? await openIncident(work, group) : null
  const parting = partingOf(beat.id, group.told, false, incident !== null && beat.current_incident_id === null)
  group.told = group.told.filter((other) => other !== one)
  if (beat.left_group_id === group.id) beat.left_group_id = null
  const why = `the ${groupName(group)}, which the ${beatName(beat)} has left`
  work.wake(beatProcess(beat), why)
  if (beat.beat_group_id !== null) work.wake(groupProcess(beat.beat_group_id), why)
  const who = `the ${beatName(beat)} left`
  if (parting === 'takes the incident') {
    // What the group saw may be worse than what it has posted, as when that still waited for review.
    const acted_stage = (await stagePosted(work, incident!)) ?? one!.stage
    Object.assign(beat, { current_incident_id: incident!.id, acted_stage })
    group.current_incident_id = null
    return `${who}, and the ${incidentName(incident!)} is its own now`
  }
  if (one && !one.ended) await drop(work, group, one, incident)
  // What the group told is not told any more: its own policies act on what it sees.
  if (!one?.ended && beat.current_incident_id === null && isIll(beat.acted_stage)) beat.acted_stage = 'healthy'
  return who
}

/** A beat that was deleted. */
async function miss(work: WorkContext, group: BeatGroup, id: number): Promise<string> {
  const one = group.told.find(({ beat_id }) => beat_id === id)!
  const incident = await openIncident(work, group)
  const stays = partingOf(id, group.told, true, incident !== null) === 'stays'
  const others = group.told.filter((other) => other !== one)
  group.told = stays ? [...others, { ...one, gone: true }] : others
  if (stays)
    return `${standing([], { ...one, gone: true })}. The ${incidentName(incident!)} stays open for a person to resolve`
  if (!one.ended) await drop(work, group, one, incident)
  return `the ${beatName({ id, name: one.name })} was deleted`
}

/** What it stood for leaves the incident; nobody claims that it works again. */
async function drop(work: WorkContext, group: BeatGroup, { items }: Told, incident: Incident | null): Promise<void> {
  if (!incident) return
  const others = group.told.flatMap((other) => (other.ended ? [] : other.items))
  const kept = new Set([...(await itemsOf(work, 'beat_group', [group.id])), ...others])
  await endImpacts(
    work,
    incident,
    items.filter((id) => !kept.has(id)),
  )
}

/** Nothing that it told of stands, and nobody was told that it is over. */
async function tellsNothing(ctx: StepContext, group: BeatGroup, because: string): Promise<void> {
  if (!isIll(group.acted_stage)) return
  group.acted_stage = 'healthy'
  await supersede(ctx, { kind: 'beat_group', record: group }, because)
}
