import { LockMode } from '@mikro-orm/postgresql'
import { Beat } from '../../persistence/entities/beat.ts'
import { BeatGroup } from '../../persistence/entities/beat-group.ts'
import { follow } from '../beat-actions/follow.ts'
import type { Owner } from '../beat-actions/owner.ts'
import { settle } from '../beat-actions/settle.ts'
import { flappingRuleOf } from '../beats/flapping-rules.ts'
import { heldBack, itemsOf } from '../beats/holds.ts'
import type { Hold } from '../beats/holds-rules.ts'
import { heldBy } from '../incidents/open.ts'
import type { StepContext, StepResult } from '../kernel/step.ts'
import { turn, voiceOf } from './stage.ts'

/** What a group's process does when it looks: sees what its members make of it, and settles each change of that. */
export async function beatGroupStep(ctx: StepContext): Promise<StepResult> {
  const group = await ctx.tx.findOne(BeatGroup, { id: ctx.id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!group) return { done: true, says: 'nothing: the group was deleted' }
  const members = await ctx.tx.find(Beat, { beat_group_id: group.id }, { orderBy: { id: 'asc' } })
  await turn(ctx, group, members)
  const stage = group.current_stage
  const { free, held } = stage ? await apart(ctx, members) : { free: [], held: new Map<Beat, Hold>() }
  const voice = stage && (voiceOf(free, stage) ?? voiceOf(members, stage))
  if (!voice) return { done: false, says: 'a stage of one of its members' }
  const own = await itemsOf(ctx, 'beat_group', [group.id])
  const ill = await itemsOf(ctx, 'beat', idsOf(free.filter(isIll)))
  // Recovery tells of what was held down.
  const items = [...new Set([...own, ...(stage === 'healthy' ? await heldBy(ctx, group.current_incident_id) : ill)])]
  const byMember = group.message_source_mode === 'member'
  const speaker: Owner['speaker'] = byMember ? { kind: 'beat', record: voice } : { kind: 'beat_group', record: group }
  const owner: Owner = { kind: 'beat_group', record: group, items, voice, speaker }
  const hold = (await heldBack(ctx, group, items)) ?? heldWith(held.get(voice), voice)
  const showsFlapping = members.every(({ flapping_since }) => flapping_since === null)
  const holds = await settle(ctx, owner, { hold, rule: flappingRuleOf({}), showsFlapping })
  // Of those who are held back nothing is said anew, neither that they are ill nor that they are not.
  const well = members.filter((member) => !member.enabled || !isIll(member))
  if (!holds) await follow(ctx, owner, await itemsOf(ctx, 'beat', idsOf(well)))
  return waitFor(holds)
}

const idsOf = (beats: Beat[]) => beats.map(({ id }) => id)
const isIll = ({ current_stage }: Beat) => current_stage !== null && current_stage !== 'healthy'

/** Those members that are looked at, and those of whom nobody is to be told while they are ill. */
async function apart(ctx: StepContext, members: Beat[]) {
  const held = new Map<Beat, Hold>()
  for (const member of members.filter(isIll)) {
    const hold = await heldBack(ctx, member, await itemsOf(ctx, 'beat', [member.id]))
    if (hold) held.set(member, hold)
  }
  return { held, free: members.filter((member) => !held.has(member)) }
}

function heldWith(hold: Hold | undefined, { id }: Beat): Hold | null {
  return hold ? { ...hold, because: `the beat ${id}, which makes it so, is held back: ${hold.because}` } : null
}

function waitFor(hold: Hold | null): StepResult {
  if (!hold) return { done: false, says: 'a change of one of its members' }
  const says = `the end of what holds it back: ${hold.because}`
  return { done: false, says, ...(hold.until ? { until: hold.until } : {}) }
}
