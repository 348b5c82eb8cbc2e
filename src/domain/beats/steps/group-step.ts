import type { Beat } from '../../../persistence/entities/beat.ts'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { lockSubject, type StepContext, type StepResult } from '../../kernel/step.ts'
import { endBanners } from '../actions/banners.ts'
import { takeActions } from '../actions/take-actions.ts'
import { beatName, incidentName } from '../definition/naming-rules.ts'
import { syncIncidentItems } from '../groups/incident-items.ts'
import { countMembers, type FrozenMember, frozenInWords, membersOf } from '../groups/member-stages.ts'
import { groupAsOwner } from '../groups/owner.ts'
import { applyMemberStages } from '../groups/stage-transition.ts'
import { lockOpenIncident } from '../incidents/incident-lookup.ts'
import { flappingRuleOf } from '../stage/flapping-rules.ts'
import { isIll } from '../stage/stage-rules.ts'
import { suppressionOf } from '../stage/suppression.ts'
import type { Suppression } from '../stage/suppression-rules.ts'

/** The step of a group's process: computes the stage from the members, and acts on each transition. */
export async function beatGroupStep(ctx: StepContext): Promise<StepResult> {
  const group = await lockSubject(ctx, BeatGroup)
  if (!group) return { done: true, says: 'nothing: the group was deleted' }
  const members = await membersOf(ctx, group)
  const { frozen, recounted } = await countMembers(ctx, group, members)
  await applyMemberStages(ctx, group, members, recounted)
  const owner = await groupAsOwner(ctx, group, members)
  if (!owner) {
    await endBanners(ctx, { kind: 'beat_group', record: group }, 'no enabled member has a stage')
    return waitFor(await withoutStage(ctx, group), frozen)
  }
  const suppression = (await suppressionOf(ctx, group, owner.items)) ?? (await incidentOfMembers(ctx, group, members))
  const showsFlapping = members.every(({ flapping_since }) => flapping_since === null)
  const suppressed = await takeActions(ctx, owner, { suppression, rule: flappingRuleOf({}), showsFlapping })
  if (!suppressed) await syncIncidentItems(ctx, group, members)
  const awaited = suppressed ? `the end of the suppression: ${suppressed.because}` : 'a change of one of its members'
  return waitFor(awaited, frozen, suppressed)
}

/** Each ill member owns an open incident, from before it joined: the group does not open a second one. */
async function incidentOfMembers(ctx: StepContext, group: BeatGroup, members: Beat[]): Promise<Suppression | null> {
  const ill = members.filter(({ enabled, counted_stage }) => enabled && isIll(counted_stage))
  if (ill.length === 0 || ill.some(({ current_incident_id }) => current_incident_id === null)) return null
  if (await lockOpenIncident(ctx.tx, group.current_incident_id)) return null
  const owned: string[] = []
  for (const beat of ill) {
    const incident = await lockOpenIncident(ctx.tx, beat.current_incident_id)
    if (!incident) return null
    owned.push(`the ${beatName(beat)} owns the open ${incidentName(incident)}`)
  }
  return { because: owned.join('; ') }
}

async function withoutStage(ctx: StepContext, group: BeatGroup): Promise<string> {
  const incident = await lockOpenIncident(ctx.tx, group.current_incident_id)
  const awaited = 'a stage of one of its members'
  return incident ? `${awaited}; until then the ${incidentName(incident)} stays open for a person to resolve` : awaited
}

function waitFor(awaited: string, frozen: FrozenMember[], suppressed: Suppression | null = null): StepResult {
  const ends = [suppressed, ...frozen.map(({ suppression }) => suppression)].flatMap(
    (one) => one?.until?.getTime() ?? [],
  )
  const until = ends.length > 0 ? { until: new Date(Math.min(...ends)) } : {}
  return { done: false, says: [awaited, ...frozen.map(frozenInWords)].join('; '), ...until }
}
