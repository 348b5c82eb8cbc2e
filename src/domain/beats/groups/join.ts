import type { Beat } from '../../../persistence/entities/beat.ts'
import { BeatAction } from '../../../persistence/entities/beat-action.ts'
import type { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { Incident } from '../../../persistence/entities/incident.ts'
import { writeUpdate } from '../../incidents/add-update.ts'
import { addMissingImpacts } from '../../incidents/open-incident.ts'
import type { StepContext } from '../../kernel/step.ts'
import { RESOLVED } from '../../vocabulary/rules.ts'
import { supersede } from '../actions/act.ts'
import { lockIncident } from '../actions/draft.ts'
import { beatName, groupTakesOver, incidentName } from '../definition/naming-rules.ts'
import { isIll } from '../stage/stage-rules.ts'
import { suppressedBySwitch } from '../stage/suppression-rules.ts'
import { lockBeats, openIncident } from './leave.ts'
import { stagePosted, tellsByItself } from './own-incident.ts'
import type { Member } from './told-rules.ts'

/** One fault is told of once: what a member told by itself before it joined is the group's, or ends where the group tells of it. */
export async function takeOver(ctx: StepContext, group: BeatGroup, beats: Beat[], members: Member[]): Promise<void> {
  if (suppressedBySwitch(group, ctx.now)) return
  const telling = beats.filter(({ current_incident_id }) => current_incident_id !== null)
  const heard = members.filter(({ stage, hold }) => isIll(stage) && !hold)
  const ids = telling.flatMap(({ id }) => (heard.some((one) => one.id === id) ? [id] : []))
  if (ids.length === 0) return
  for (const beat of await lockBeats(ctx, { id: { $in: ids }, beat_group_id: group.id })) {
    const { stage, items } = members.find(({ id }) => id === beat.id)!
    if (beat.current_incident_id === null || (await tellsByItself(ctx, beat, stage!, group))) continue
    await takeOne(ctx, group, beat, items)
  }
  await ctx.tx.flush()
}

async function takeOne(ctx: StepContext, group: BeatGroup, beat: Beat, items: number[]): Promise<void> {
  const incident = await lockIncident(ctx.tx, beat.current_incident_id!)
  // One that its recovery kept open tells of no fault: what is seen now is told anew.
  const stage = await stagePosted(ctx, { id: beat.current_incident_id! })
  beat.current_incident_id = null
  const others = group.told.filter(({ beat_id }) => beat_id !== beat.id)
  const one = isIll(stage) ? [{ beat_id: beat.id, name: beat.name, stage, items }] : []
  // Somebody has ended what the beat told: that is no reason for the group to tell it.
  if (!incident || incident.resolved_at) {
    group.told = [...others, ...one.map((told) => ({ ...told, ended: true as const }))]
    return
  }
  group.told = [...others, ...one]
  const ours = await openIncident(ctx, group)
  if (ours) return joinItems(ctx, incident, ours, items)
  group.current_incident_id = incident.id
  // Whatever it has seen, this is what it tells by now: what is more than that is acted on.
  group.acted_stage = stage ?? 'healthy'
  ctx.note('incident', `the ${incidentName(incident)} of the ${beatName(beat)} is the group's now`)
}

async function joinItems(ctx: StepContext, incident: Incident, ours: Incident, items: number[]): Promise<void> {
  await addMissingImpacts(ctx, ours, items)
  const message = `This goes on, and is told of in "${ours.title}" from now on.`
  await writeUpdate(ctx, incident, { message, status: RESOLVED, notify: true })
  ctx.note('incident', `the ${incidentName(incident)} was resolved: the ${incidentName(ours)} covers the same fault`)
}

/** What its members have drafted by themselves is moot where the group tells the public: nobody can approve it any more. */
export async function supersedeDrafts(ctx: StepContext, group: BeatGroup, beats: Beat[]): Promise<void> {
  const theirs = { owner_kind: 'beat' as const, owner_id: { $in: beats.map(({ id }) => id) } }
  // They are read again under the lock of their beat.
  const apart = { fields: ['owner_id'], disableIdentityMap: true } as const
  const waiting = await ctx.tx.find(BeatAction, { ...theirs, state: 'pending_review' }, apart)
  if (waiting.length === 0) return
  const ids = waiting.map(({ owner_id }) => owner_id)
  // One that has an incident of its own decides on that still.
  const which = { id: { $in: ids }, beat_group_id: group.id, current_incident_id: null }
  for (const beat of await lockBeats(ctx, which)) {
    await supersede(ctx, { kind: 'beat', record: beat }, groupTakesOver(beat, group))
  }
}
