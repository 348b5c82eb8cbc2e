import type { EntityManager } from '@mikro-orm/postgresql'
import { Beat } from '../../../persistence/entities/beat.ts'
import { BeatComponent } from '../../../persistence/entities/beat-component.ts'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, Problem } from '../../kernel/errors.ts'
import { replaced } from '../../kernel/revise.ts'
import { beatConfigChanged } from '../changes/config-changed.ts'
import { inWords } from '../definition/group-reference.ts'
import { beatName, groupName } from '../definition/naming-rules.ts'
import type { ActionPolicies } from '../definition/policies.ts'
import { affectedProblems, isCustomerFacing } from '../definition/rules.ts'
import { lockBeats } from '../stage/lock-beats.ts'
import { removeMember } from './incident-items.ts'

interface NamedMembers {
  member_monitor_ids?: number[]
  members?: { id?: number; external_id?: string }[]
}

/** The ids of the members that a request names, by ids, by references, or by both. */
async function memberIds({ tx }: Context, group: BeatGroup, named: NamedMembers): Promise<number[] | undefined> {
  const { member_monitor_ids: ids, members: refs } = named
  if (refs === undefined) return ids
  const beats = await tx.find(Beat, {
    $or: [
      { id: { $in: refs.flatMap(({ id }) => id ?? []) } },
      { external_id: { $in: refs.flatMap(({ external_id }) => external_id ?? []) } },
    ],
  })
  const found = refs.map((ref, index) => {
    const { id, external_id } = ref
    const beat = beats.find((one) => (id ?? one.id) === one.id && (external_id ?? one.external_id) === one.external_id)
    if (!beat) throw invalid([{ path: `members.${index}`, message: `no beat on this page has ${inWords(ref)}` }])
    return beat.id
  })
  if (ids === undefined || same(ids, found)) return found
  const stored = idsOf(await tx.find(Beat, { beat_group_id: group.id }))
  if (same(found, stored)) return ids
  if (same(ids, stored)) return found
  throw invalid([{ path: 'members', message: 'must name the same beats as member_monitor_ids' }])
}

const same = (a: number[], b: number[]) => a.every((one) => b.includes(one)) && b.every((one) => a.includes(one))

/**
 * The named beats become the members, and all others leave. A member of another group is refused. Answers the reasons with
 * which the group is woken.
 */
export async function setMembers(ctx: Context, group: BeatGroup, named: NamedMembers): Promise<string[]> {
  const ids = await memberIds(ctx, group, named)
  if (ids === undefined) return []
  const { tx } = ctx
  const beats = await lockBeats(ctx, { $or: [{ id: { $in: ids } }, { beat_group_id: group.id }] })
  const unknown = ids.flatMap((id, index) => (beats.some((beat) => beat.id === id) ? [] : [{ id, index }]))
  if (unknown.length > 0) {
    const path = (index: number) => `${named.member_monitor_ids ? 'member_monitor_ids' : 'members'}.${index}`
    throw invalid(
      unknown.map(({ id, index }) => ({ path: path(index), message: `there is no beat with id ${id} on this page` })),
    )
  }
  const before = beats.filter(({ beat_group_id }) => beat_group_id === group.id)
  const taken = beats.find(({ beat_group_id }) => beat_group_id !== null && beat_group_id !== group.id)
  if (taken) throw await inAnother(tx, taken)
  const after = [...new Set(ids)]
  if (!replaced(ctx, 'member_monitor_ids', idsOf(before), after)) return []
  const reasons: string[] = []
  for (const beat of before.filter(({ id }) => !after.includes(id))) {
    reasons.push(await removeMember(ctx, group, beat, 'left the group'))
    move(ctx, beat, null, `leaving the ${groupName(group)}`)
    await tx.flush()
  }
  for (const beat of beats.filter((one) => !before.includes(one))) {
    reasons.push(`the ${beatName(beat)} joined the group`)
    move(ctx, beat, group.id, `joining the ${groupName(group)}`)
  }
  await tx.flush()
  return reasons
}

const idsOf = (beats: Beat[]) => beats.map(({ id }) => id)

/** A reader of the beat sees another group: the version of the beat rises. */
function move(ctx: Context, beat: Beat, groupId: number | null, reason: string): void {
  beat.beat_group_id = groupId
  beat.version += 1
  beat.updated_at = ctx.now
  beatConfigChanged(ctx, beat, reason)
}

async function inAnother(tx: EntityManager, { id, name, beat_group_id }: Beat): Promise<Problem> {
  const other = await tx.findOneOrFail(BeatGroup, { id: beat_group_id! })
  const taken = `The ${beatName({ id, name })} is a member of the ${groupName(other)}`
  return new Problem('conflict', `${taken}: remove the beat from that group first.`)
}

/** The group is deleted: its members stay, and their next transition follows their own policies. */
export async function releaseMembers(ctx: Context, group: BeatGroup): Promise<void> {
  for (const beat of await lockBeats(ctx, { beat_group_id: group.id })) {
    beat.counted_stage = null
    move(ctx, beat, null, `the deletion of the ${groupName(group)}`)
  }
  await ctx.tx.flush()
}

/** A public post names affected items or a freetext: of the group, or of its members. */
export async function requireAffected({ tx }: Context, group: BeatGroup, mapped: number[]): Promise<void> {
  const action_policies = group.action_policies as ActionPolicies
  if (!isCustomerFacing(action_policies)) return
  await tx.flush()
  const members = await tx.find(Beat, { beat_group_id: group.id })
  const mappedOfMembers = await tx.count(BeatComponent, { owner_kind: 'beat', owner_id: { $in: idsOf(members) } })
  const [affected_items_freetext = null] = [group, ...members].flatMap((one) => one.affected_items_freetext || [])
  const problems = affectedProblems({ action_policies, affected_items_freetext }, mapped.length + mappedOfMembers)
  if (problems.length > 0) throw invalid(problems)
}
