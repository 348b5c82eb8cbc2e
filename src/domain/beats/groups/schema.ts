import { z } from 'zod'
import { computed, externalId, id, line, momentOut, readOnly, version, withoutReadOnly } from '../../kernel/schema.ts'
import { newTranslations, translations } from '../../translations/schema.ts'
import { messageWords } from '../definition/policies.ts'
import {
  BeatStage,
  clearable,
  componentsOut,
  optional,
  policiesOut,
  sharedFields,
  stateOut,
  stateSentBack,
  switchesOut,
} from '../definition/schema.ts'

const MOST_MEMBERS = 500

const modes = ['group', 'member'] as const

const Member = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    external_id: z.string().optional(),
    current_stage: BeatStage.nullable(),
  })
  .meta({ id: 'BeatGroupMember' })

export const BeatGroupResource = z
  .strictObject({
    id: z.int(),
    status_page_id: z.int(),
    name: z.string(),
    description: z.string(),
    external_id: z.string().optional(),
    ...switchesOut,
    ...policiesOut,
    ...componentsOut,
    has_component_warnings: z.boolean(),
    message_source_mode: z.enum(modes).optional(),
    member_monitor_ids: z.array(z.int()).optional(),
    members: z.array(Member).optional(),
    ...stateOut,
    version: z.int(),
    created_at: momentOut(),
    updated_at: momentOut(),
  })
  .meta({ id: 'BeatGroup' })

const memberIds = () =>
  z.array(id()).max(MOST_MEMBERS).describe('The beats that become the members; a member of another group is refused')

/** A member in a request; the fields of a response may be sent back. */
const MemberRef = z
  .strictObject({ id: id().optional(), external_id: externalId().optional(), ...computed('name', 'current_stage') })
  .refine((said) => (said.id ?? said.external_id) !== undefined, 'needs an id or an external_id')
  .meta({ id: 'BeatGroupMemberRef' })

const memberRefs = () =>
  z
    .array(MemberRef)
    .max(MOST_MEMBERS)
    .describe(
      'The members as `{id}` or `{external_id}`. A request that also has `member_monitor_ids` names the same beats in both, or sends one of the two back unchanged',
    )

const fields = {
  ...sharedFields,
  message_source_mode: z
    .enum(modes)
    .describe('The message policies of an incident: those of the `group`, or those of its worst `member`'),
  member_monitor_ids: memberIds(),
  members: memberRefs(),
}

const derived = {
  ...readOnly('id', 'status_page_id'),
  ...computed('created_at', 'updated_at', 'has_component_warnings', 'component_warnings'),
  ...stateSentBack,
}

const example = { name: 'Checkout' }

const creation = z.strictObject({
  name: line(200),
  external_id: externalId().optional(),
  ...optional(fields),
  message_policy_translations: newTranslations(messageWords),
})
export const BeatGroupCreateRequest = withoutReadOnly(creation.meta({ example }), derived, 'version')
export const BeatGroupPutRequest = creation
  .extend({ external_id: externalId(), version: version().optional(), ...derived })
  .meta({ example })

export const BeatGroupUpdateRequest = z
  .strictObject({
    name: line(200).optional(),
    ...optional(fields),
    ...clearable,
    version: version().optional(),
    message_policy_translations: translations(messageWords),
    ...derived,
    ...readOnly('external_id'),
  })
  .meta({ example })

export const BeatGroupMembersRequest = z
  .strictObject({
    member_monitor_ids: memberIds().optional(),
    members: memberRefs().optional(),
    version: version().optional(),
  })
  .meta({ example: { member_monitor_ids: [] } })
