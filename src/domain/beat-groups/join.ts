import type { Beat } from '../../persistence/entities/beat.ts'
import type { BeatGroup } from '../../persistence/entities/beat-group.ts'
import type { Incident } from '../../persistence/entities/incident.ts'
import { lockIncident } from '../beat-actions/draft.ts'
import { switchedOff } from '../beats/holds-rules.ts'
import { isIll, type Stage, worstStage } from '../beats/stage-rules.ts'
import { post } from '../incidents/entry.ts'
import { holdMore } from '../incidents/open.ts'
import type { StepContext } from '../kernel/step.ts'
import { RESOLVED } from '../vocabulary/rules.ts'
import { lockBeats, openIncident } from './leave.ts'
import type { Member } from './told-rules.ts'

/** One fault is told of once: what a member told by itself before it joined is the group's, or ends where the group tells of it. */
export async function takeOver(ctx: StepContext, group: BeatGroup, beats: Beat[], members: Member[]): Promise<void> {
  if (switchedOff(group, ctx.now)) return
  const telling = beats.filter(({ current_incident_id }) => current_incident_id !== null)
  const heard = members.filter(({ stage, hold }) => isIll(stage) && !hold)
  const ids = telling.flatMap(({ id }) => (heard.some((one) => one.id === id) ? [id] : []))
  if (ids.length === 0) return
  for (const beat of await lockBeats(ctx, { id: { $in: ids }, beat_group_id: group.id })) {
    if (beat.current_incident_id === null || !isIll(beat.acted_stage)) continue
    await takeOne(ctx, group, beat, members.find(({ id }) => id === beat.id)!.items)
  }
  await ctx.tx.flush()
}

async function takeOne(ctx: StepContext, group: BeatGroup, beat: Beat, items: number[]): Promise<void> {
  const stage = beat.acted_stage as 'warning' | 'critical'
  const incident = await lockIncident(ctx.tx, beat.current_incident_id!)
  beat.current_incident_id = null
  const one = { beat_id: beat.id, name: beat.name, stage, items }
  const others = group.told.filter(({ beat_id }) => beat_id !== beat.id)
  // Somebody has ended what the beat told: that is no reason for the group to tell it.
  if (!incident || incident.resolved_at) {
    group.told = [...others, { ...one, ended: true }]
    return
  }
  group.told = [...others, one]
  const ours = await openIncident(ctx, group)
  if (ours) return joinItems(ctx, incident, ours, items)
  group.current_incident_id = incident.id
  group.acted_stage = worstStage([group.acted_stage as Stage | null, stage])
  ctx.note('incident', `the incident ${incident.id} of the beat ${beat.id} is the group's now`)
}

async function joinItems(ctx: StepContext, incident: Incident, ours: Incident, items: number[]): Promise<void> {
  await holdMore(ctx, ours, items)
  const message = `This goes on, and is told of in "${ours.title}" from now on.`
  await post(ctx, incident, { message, status: RESOLVED, notify: true })
  ctx.note('incident', `the incident ${incident.id} ended: the incident ${ours.id} tells of that`)
}
