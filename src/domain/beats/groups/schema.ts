import { z } from 'zod'
import { inAnswer, inChange, inCreate } from '../../kernel/fields.ts'
import { computed, externalId, id, momentOut, readOnly, version, withoutReadOnly } from '../../kernel/schema.ts'
import { newTranslations, translations, translationsOut } from '../../translations/schema.ts'
import { messageWords } from '../definition/policies.ts'
import { BeatStage, componentsIn, componentsOut, stateOut, stateSentBack } from '../definition/schema.ts'
import { groupFields } from './fields.ts'

const MOST_MEMBERS = 500

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
    external_id: z.string().optional(),
    ...inAnswer(groupFields),
    message_policy_translations: translationsOut(),
    ...componentsOut,
    has_component_warnings: z.boolean(),
    member_monitor_ids: z.array(z.int()).optional(),
    members: z.array(Member).optional(),
    ...stateOut,
    version: z.int(),
    created_at: momentOut(),
    updated_at: momentOut(),
  })
  .meta({ id: 'BeatGroup' })

/** A member in a request; the fields of a response may be sent back. */
const MemberRef = z
  .strictObject({ id: id().optional(), external_id: externalId().optional(), ...computed('name', 'current_stage') })
  .refine((said) => (said.id ?? said.external_id) !== undefined, 'needs an id or an external_id')
  .meta({ id: 'BeatGroupMemberRef' })

const membersIn = {
  member_monitor_ids: z
    .array(id())
    .max(MOST_MEMBERS)
    .optional()
    .describe('The beats that become the members; a member of another group is refused'),
  members: z
    .array(MemberRef)
    .max(MOST_MEMBERS)
    .optional()
    .describe(
      'The members as `{id}` or `{external_id}`. A request that also has `member_monitor_ids` names the same beats in both, or sends one of the two back unchanged',
    ),
}

const derived = {
  ...readOnly('id', 'status_page_id'),
  ...computed('created_at', 'updated_at', 'has_component_warnings', 'component_warnings'),
  ...stateSentBack,
}

const example = { name: 'Checkout' }

const creation = z.strictObject({
  ...inCreate(groupFields),
  external_id: externalId().optional(),
  ...componentsIn,
  ...membersIn,
  message_policy_translations: newTranslations(messageWords),
})
export const BeatGroupCreateRequest = withoutReadOnly(creation.meta({ example }), derived, 'version')
export const BeatGroupPutRequest = creation
  .extend({ external_id: externalId(), version: version().optional(), ...derived })
  .meta({ example })

export const BeatGroupUpdateRequest = z
  .strictObject({
    ...inChange(groupFields),
    ...componentsIn,
    ...membersIn,
    version: version().optional(),
    message_policy_translations: translations(messageWords),
    ...derived,
    ...readOnly('external_id'),
  })
  .meta({ example })

export const BeatGroupMembersRequest = z
  .strictObject({
    ...membersIn,
    version: version().optional(),
  })
  .meta({ example: { member_monitor_ids: [] } })
