import type { z } from 'zod'
import { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { findRepeated } from '../../kernel/repeated.ts'
import { translateNew } from '../../translations/write.ts'
import { requestedMute } from '../changes/mute.ts'
import { mapComponents } from '../definition/components.ts'
import { checkPolicies } from '../definition/policy-checks.ts'
import { initialState } from '../stage/transition.ts'
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
    const stored = await findRepeated(ctx, BeatGroup, 'beat group', input, () => defaults)
    return (await presentFull(ctx.tx, [stored ?? (await makeGroup(ctx, input))]))[0]!
  },
})

/** The defaults of the fields that a create leaves out. */
const defaults = {
  ...{ description: '', automation_paused: false, message_source_mode: 'group' },
  ...{ action_policies: {}, message_policies: {} },
}

export async function makeGroup(ctx: Context, input: Input): Promise<BeatGroup> {
  const { tx, page, now } = ctx
  await checkPolicies(ctx, input)
  const group = tx.create(BeatGroup, {
    page_id: page.id,
    name: input.name,
    description: input.description ?? '',
    external_id: input.external_id ?? null,
    create_hash: ctx.createHash,
    impact: input.impact ?? null,
    affected_items_freetext: input.affected_items_freetext ?? null,
    automation_paused: input.automation_paused ?? false,
    automation_pause_reason: input.automation_pause_reason ?? null,
    muted_until: requestedMute(ctx, input.muted_until) ?? null,
    message_source_mode: input.message_source_mode ?? 'group',
    action_policies: input.action_policies ?? {},
    message_policies: input.message_policies ?? {},
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
