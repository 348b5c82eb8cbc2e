import type { EntityManager } from '@mikro-orm/postgresql'
import { Beat } from '../../../persistence/entities/beat.ts'
import { BeatComponent } from '../../../persistence/entities/beat-component.ts'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, Problem } from '../../kernel/errors.ts'
import { replaced } from '../../kernel/revise.ts'
import { inWords } from '../definition/group-reference.ts'
import type { ActionPolicies } from '../definition/policies.ts'
import { affectedProblems, isCustomerFacing } from '../definition/rules.ts'
import { beatConfigChanged } from '../operations/config-changed.ts'
import { severity } from '../stage/stage-rules.ts'
import { letGo, lockBeats } from './leave.ts'

interface SaidMembers {
  member_monitor_ids?: number[]
  members?: { id?: number; external_id?: string }[]
}

/** The members that a request names, by ids, by references, or by both. */
async function membersOf({ tx }: Context, group: BeatGroup, said: SaidMembers): Promise<number[] | undefined> {
  const { member_monitor_ids: ids, members: refs } = said
  if (refs === undefined) return ids
  const there = await tx.find(Beat, {
    $or: [
      { id: { $in: refs.flatMap(({ id }) => id ?? []) } },
      { external_id: { $in: refs.flatMap(({ external_id }) => external_id ?? []) } },
    ],
  })
  const named = refs.map((ref, index) => {
    const { id, external_id } = ref
    const beat = there.find((one) => (id ?? one.id) === one.id && (external_id ?? one.external_id) === one.external_id)
    if (!beat) throw invalid([{ path: `members.${index}`, message: `no beat on this page has ${inWords(ref)}` }])
    return beat.id
  })
  if (ids === undefined || same(ids, named)) return named
  const stored = idsOf(await tx.find(Beat, { beat_group_id: group.id }))
  if (same(named, stored)) return ids
  if (same(ids, stored)) return named
  throw invalid([{ path: 'members', message: 'must name the same beats as member_monitor_ids' }])
}

const same = (a: number[], b: number[]) => a.every((one) => b.includes(one)) && b.every((one) => a.includes(one))

/** Exactly these are members from now on. A beat is in one group at most, and leaves it only where that is asked for. */
export async function setMembers(ctx: Context, group: BeatGroup, said: SaidMembers): Promise<void> {
  const ids = await membersOf(ctx, group, said)
  if (ids === undefined) return
  const { tx } = ctx
  // Those that are named, and those that are members now.
  const beats = await lockBeats(ctx, { $or: [{ id: { $in: ids } }, { beat_group_id: group.id }] })
  const unknown = ids.flatMap((id, index) => (beats.some((beat) => beat.id === id) ? [] : [{ id, index }]))
  if (unknown.length > 0) {
    const path = (index: number) => `${said.member_monitor_ids ? 'member_monitor_ids' : 'members'}.${index}`
    throw invalid(
      unknown.map(({ id, index }) => ({ path: path(index), message: `there is no beat with id ${id} on this page` })),
    )
  }
  const before = beats.filter(({ beat_group_id }) => beat_group_id === group.id)
  const taken = beats.find(({ beat_group_id }) => beat_group_id !== null && beat_group_id !== group.id)
  if (taken) throw await inAnother(tx, taken)
  const after = [...new Set(ids)]
  if (!replaced(ctx, 'member_monitor_ids', idsOf(before), after)) return
  for (const beat of before) if (!after.includes(beat.id)) move(ctx, beat, null)
  for (const beat of beats) if (!before.includes(beat)) move(ctx, beat, group.id)
  await tx.flush()
}

const idsOf = (beats: Beat[]) => beats.map(({ id }) => id)

/** Who reads the beat sees another group there, so that it is another version. */
function move(ctx: Context, beat: Beat, groupId: number | null): void {
  beat.left_group_id ??= beat.beat_group_id
  beat.beat_group_id = groupId
  beat.version += 1
  beat.updated_at = ctx.now
  beatConfigChanged(ctx, beat, groupId === null ? 'leaving its group' : `joining the group ${groupId}`)
}

async function inAnother(tx: EntityManager, { id, name, beat_group_id }: Beat): Promise<Problem> {
  const other = await tx.findOneOrFail(BeatGroup, { id: beat_group_id! })
  const where = `the group "${other.name}" (${other.id})`
  return new Problem('conflict', `The beat "${name}" (${id}) is in ${where}: take it out of that first.`)
}

/** The group goes, and its members stay as beats of their own. */
export async function releaseMembers(ctx: Context, group: BeatGroup): Promise<void> {
  const beats = await lockBeats(ctx, { $or: [{ beat_group_id: group.id }, { left_group_id: group.id }] })
  // What tells of several goes with the worst of them; of those that were deleted nobody has more to say.
  group.told = group.told.filter(({ gone }) => !gone)
  const worst = ({ id }: Beat) => severity(group.told.find(({ beat_id }) => beat_id === id)?.stage ?? null)
  for (const beat of beats.toSorted((a, b) => worst(a) - worst(b))) {
    if (beat.beat_group_id === group.id) move(ctx, beat, null)
    await letGo(ctx, group, beat)
  }
  await ctx.tx.flush()
}

/** Customers are told what is affected: by what the group stands for, or by what its members do. */
export async function requireAffected({ tx }: Context, group: BeatGroup, mapped: number[]): Promise<void> {
  const action_policies = group.action_policies as ActionPolicies
  if (!isCustomerFacing(action_policies)) return
  await tx.flush()
  const members = await tx.find(Beat, { beat_group_id: group.id })
  const theirs = await tx.count(BeatComponent, { owner_kind: 'beat', owner_id: { $in: idsOf(members) } })
  const [affected_items_freetext = null] = [group, ...members].flatMap((one) => one.affected_items_freetext || [])
  const problems = affectedProblems({ action_policies, affected_items_freetext }, mapped.length + theirs)
  if (problems.length > 0) throw invalid(problems)
}
