import type { z } from 'zod'
import type { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { assignDefined } from '../../kernel/assign.ts'
import { canonical } from '../../kernel/canonical.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, requireVersion } from '../../kernel/errors.ts'
import { changedValues, resetValues } from '../../kernel/fields.ts'
import { operation } from '../../kernel/operation.ts'
import { rememberRequest } from '../../kernel/repeated.ts'
import { trackRevision } from '../../kernel/revise.ts'
import { translate } from '../../translations/write.ts'
import { switchChanges } from '../changes/switch-changes.ts'
import { mapComponents, noComponents } from '../definition/components.ts'
import { checkPolicies } from '../definition/policy-checks.ts'
import { groupDefaults, groupInWords, makeGroup } from './create.ts'
import { groupFields } from './fields.ts'
import { requireAffected, setMembers } from './members.ts'
import { presentFull } from './presenter.ts'
import { BeatGroupMembersRequest, BeatGroupPutRequest, BeatGroupResource, BeatGroupUpdateRequest } from './schema.ts'
import { groupSubject } from './subject.ts'

type Input = z.output<typeof BeatGroupUpdateRequest>

export const updateBeatGroup = operation({
  name: 'beat_groups.update',
  area: 'beats',
  permission: 'write',
  summary: 'Change a group of beats',
  description: `A list and each of the policies is replaced as a whole. A request that equals the stored group changes nothing. ${groupInWords}`,
  subject: groupSubject,
  input: BeatGroupUpdateRequest,
  output: BeatGroupResource,
  run: change,
})

export const setBeatGroupMembers = operation({
  name: 'beat_groups.set_members',
  area: 'beats',
  permission: 'write',
  summary: 'Set the members of a group',
  description:
    'The beats of the request become the members, and all others leave. A member of another group is refused, and nothing changes. The items of members that join or leave join or leave the open incident of the group at once; posts follow from the next change of its stage.',
  subject: groupSubject,
  input: BeatGroupMembersRequest,
  output: BeatGroupResource,
  run: (ctx, input, group) => {
    if (!input.member_monitor_ids && !input.members) {
      throw invalid([{ path: 'member_monitor_ids', message: 'is required, unless `members` names the beats' }])
    }
    return change(ctx, input, group)
  },
})

export const putBeatGroup = operation({
  name: 'beat_groups.put',
  makes: 'beat_group',
  area: 'beats',
  permission: 'write',
  summary: 'Create or replace the group of beats with this external id',
  description: `A field that the body leaves out gets its default; the members, the switches (\`automation_paused\`, \`muted_until\`) and the translations stay unless the body names them. A request that equals the stored group changes nothing. ${groupInWords}`,
  input: BeatGroupPutRequest,
  output: BeatGroupResource,
  run: async (ctx, input) => {
    const { external_id } = input
    const group = await groupSubject.find(ctx, { external_id }, { lock: true })
    requireVersion(group, input.version)
    if (!group) {
      await rememberRequest(ctx, 'beat group', input, groupDefaults)
      return (await presentFull(ctx.tx, [await makeGroup(ctx, input)]))[0]!
    }
    ctx.revised()
    return change(ctx, { ...resetValues(groupFields, groupDefaults()), ...noComponents(input), ...input }, group)
  },
})

async function change(ctx: Context, input: Input, group: BeatGroup) {
  const revise = trackRevision(ctx, groupSubject, group)
  const affected = () =>
    canonical([group.action_policies, group.affected_items_freetext, Object.keys(ctx.auditExtras.after)])
  const before = affected()
  await checkPolicies(ctx, input, group)
  assignDefined(group, { ...changedValues(groupFields, input), ...switchChanges(ctx, input, group) })
  const mapped = await mapComponents(ctx, ['beat_group', group.id], input)
  const moved = await setMembers(ctx, group, input)
  // A deleted member may have taken the last affected item with it. That does not refuse an unrelated change.
  if (affected() !== before) await requireAffected(ctx, group, mapped)
  await translate(ctx, ['beat_group', group.id], input.message_policy_translations)
  if (revise()) ctx.wake({ kind: 'beat-group', id: group.id }, inShort(moved))
  return (await presentFull(ctx.tx, [group]))[0]!
}

const MOST_REASONS = 5

/** Up to 500 members may move at once: the history names the first of them. */
const inShort = (moved: string[]): string =>
  [
    ...(moved.length === 0 ? ['a change of the group'] : moved.slice(0, MOST_REASONS)),
    ...(moved.length > MOST_REASONS ? [`${moved.length - MOST_REASONS} further members joined or left`] : []),
  ].join('; ')
