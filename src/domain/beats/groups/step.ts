import type { Beat } from '../../../persistence/entities/beat.ts'
import { BeatGroup, type Told } from '../../../persistence/entities/beat-group.ts'
import { impactedItems } from '../../incidents/open-incident.ts'
import { lockSubject, type StepContext, type StepResult } from '../../kernel/step.ts'
import { endBanners } from '../actions/banners.ts'
import { follow } from '../actions/follow.ts'
import type { Owner } from '../actions/owner.ts'
import { settle } from '../actions/settle.ts'
import { flappingRuleOf } from '../stage/flapping-rules.ts'
import { itemsOf, suppressionOf } from '../stage/suppression.ts'
import type { Suppression } from '../stage/suppression-rules.ts'
import { listen, membersOf } from './hear.ts'
import { supersedeDrafts, takeOver } from './join.ts'
import { noteEnding, partWith } from './leave.ts'
import { turn, voiceOf } from './stage.ts'
import { hear, type Member, silenceOf, standing, unheard } from './told-rules.ts'

/** What a group's process does when it looks: sees what its members make of it, and settles each change of that. */
export async function beatGroupStep(ctx: StepContext): Promise<StepResult> {
  const group = await lockSubject(ctx, BeatGroup)
  if (!group) return { done: true, says: 'nothing: the group was deleted' }
  await noteEnding(ctx, group)
  const parted = await partWith(ctx, group)
  const beats = await membersOf(ctx, group)
  const members = await listen(ctx, group, beats)
  await takeOver(ctx, group, beats, members)
  await supersedeDrafts(ctx, group, beats)
  await turn(ctx, group, beats)
  const heard = hear(members, group.told)
  const stage = heard.witnessed ? heard.stage : null
  const voices = beats.filter(({ id }) => heard.heard.includes(id))
  const voice = (stage && voiceOf(voices, stage)) ?? (group.current_stage && voiceOf(beats, group.current_stage))
  const stands = (told: Told[]) => unheard(members, told).map((one) => standing(members, one))
  if (!voice && (beats.length === 0 || heard.told.length === 0)) {
    // Nobody is left of whom its banners tell, and nobody acts on that.
    await endBanners(ctx, { kind: 'beat_group', record: group }, 'the parting with its members')
  }
  if (!voice) return waitFor(null, members, ['a stage of one of its members', ...stands(group.told)])
  const own = await itemsOf(ctx, 'beat_group', [group.id])
  const itemsHeard = heard.told.flatMap(({ beat_id, items }) => (heard.heard.includes(beat_id) ? items : []))
  // Recovery tells of what was held down.
  const affected = heard.stage === 'healthy' ? await impactedItems(ctx, group.current_incident_id) : itemsHeard
  const items = [...new Set([...own, ...affected])]
  const speaker = speakerOf(group, voice)
  const owner: Owner = { kind: 'beat_group', record: group, items, voice, speaker, well: wellOf(members) }
  const hold = await suppressionOf(ctx, group, items)
  const showsFlapping = beats.every(({ flapping_since }) => flapping_since === null)
  const { acted_stage: acted } = group
  const silence = silenceOf({ members, heard, acted, parted })
  const bearing = { hold, rule: flappingRuleOf({}), showsFlapping, telling: { stage, silence } }
  const holds = await settle(ctx, owner, bearing)
  if (!holds) {
    await follow(ctx, owner, { stage, before: group.told, after: heard.told })
    group.told = heard.told
  }
  return waitFor(holds, members, ['a change of one of its members', ...stands(group.told)])
}

const speakerOf = (group: BeatGroup, voice: Beat): Owner['speaker'] =>
  group.message_source_mode === 'member' ? { kind: 'beat', record: voice } : { kind: 'beat_group', record: group }

/** What those stand for that are seen to be well. */
const wellOf = (members: Member[]) =>
  members.flatMap(({ stage, hold, items }) => (stage === 'healthy' && !hold ? items : []))

/** A member that is held back may have more to say when that ends. */
function waitFor(hold: Suppression | null, members: Member[], awaited: string[]): StepResult {
  const ends = (hold ? [hold] : members.flatMap((member) => member.hold ?? [])).flatMap(({ until }) => until ?? [])
  const until = ends.length > 0 ? { until: new Date(Math.min(...ends.map((end) => end.getTime()))) } : {}
  if (hold) return { done: false, says: `the end of what holds it back: ${hold.because}`, ...until }
  return { done: false, says: awaited.join('; '), ...until }
}
