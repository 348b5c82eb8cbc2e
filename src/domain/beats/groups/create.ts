import type { z } from 'zod'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { Context } from '../../kernel/context.ts'
import { defaultsOf, newValues } from '../../kernel/fields.ts'
import { operation } from '../../kernel/operation.ts'
import { findRepeated } from '../../kernel/repeated.ts'
import { translateNew } from '../../translations/write.ts'
import { requestedMute } from '../changes/mute.ts'
import { mapComponents } from '../definition/components.ts'
import { checkPolicies } from '../definition/policy-checks.ts'
import { initialState } from '../stage/transition.ts'
import { groupFields } from './fields.ts'
import { requireAffected, setMembers } from './members.ts'
import { presentFull } from './presenter.ts'
import { BeatGroupCreateRequest, BeatGroupResource } from './schema.ts'

type Input = z.output<typeof BeatGroupCreateRequest>

export const groupInWords =
  'The stage of a group is the worst stage of its enabled members. A member that is paused, muted or under maintenance counts with the stage from before that. The group takes all public actions, by its own policies; only an incident that a member opened before it joined stays with that member. A `public_post` in any stage needs mapped items or `affected_items_freetext` of the group or of its members.'

export const createBeatGroup = operation({
  name: 'beat_groups.create',
  makes: 'beat_group',
  area: 'beats',
  permission: 'write',
  summary: 'Create a group of beats',
  description: `${groupInWords} With an \`external_id\` the call may be repeated: the same request answers 200 with the stored record and does nothing twice.`,
  input: BeatGroupCreateRequest,
  output: BeatGroupResource,
  run: async (ctx, input) => {
    const stored = await findRepeated(ctx, BeatGroup, 'beat group', input, groupDefaults)
    return (await presentFull(ctx.tx, [stored ?? (await makeGroup(ctx, input))]))[0]!
  },
})

/** The values of the fields that a create or a PUT leaves out. */
export const groupDefaults = () => defaultsOf(groupFields, {})

export async function makeGroup(ctx: Context, input: Input): Promise<BeatGroup> {
  const { tx, page, now } = ctx
  await checkPolicies(ctx, input)
  const group = tx.create(BeatGroup, {
    page_id: page.id,
    external_id: input.external_id ?? null,
    create_hash: ctx.createHash,
    ...newValues(groupFields, input, groupDefaults()),
    muted_until: requestedMute(ctx, input.muted_until) ?? null,
    ...initialState(),
    version: 1,
    created_at: now,
    updated_at: now,
  })
  await tx.flush()
  const mapped = await mapComponents(ctx, ['beat_group', group.id], input)
  await setMembers(ctx, group, input)
  await requireAffected(ctx, group, mapped)
  await translateNew(ctx, ['beat_group', group.id], input.message_policy_translations)
  ctx.wake({ kind: 'beat-group', id: group.id }, 'the creation of the group')
  return group
}
