import { z } from 'zod'
import { ItemRef } from '../../hierarchy/schema.ts'
import { inAnswer, inChange, inCreate } from '../../kernel/fields.ts'
import { computed, externalId, id, momentOut, readOnly, unkept, version, withoutReadOnly } from '../../kernel/schema.ts'
import { newTranslations, translations, translationsOut } from '../../translations/schema.ts'
import { HeartbeatCalls } from '../heartbeats/schema.ts'
import { types } from '../types/index.ts'
import { BeatType, beatFields } from './fields.ts'
import { BeatGroupRef } from './group-reference.ts'
import { messageWords } from './policies.ts'
import { stages } from './stages-rules.ts'

export const BeatStage = z.enum(stages).meta({ id: 'BeatStage' })

const ComponentRef = z
  .strictObject({ id: z.int(), slug: z.string(), external_id: z.string().optional() })
  .meta({ id: 'BeatComponentRef' })

/** The mapped items of a beat or a group in answers. */
export const componentsOut = {
  component_ids: z.array(z.int()).optional(),
  component_refs: z.array(ComponentRef).optional(),
  component_warnings: z
    .array(
      z
        .strictObject({ reference: ComponentRef, code: z.enum(['missing', 'archived']), message: z.string() })
        .meta({ id: 'BeatComponentWarning' }),
    )
    .optional()
    .describe('Mapped items that are deleted or archived'),
}

/** The state of beats and groups in answers. */
export const stateOut = {
  current_stage: BeatStage.nullable().describe('null while the stage is unknown'),
  current_incident_id: z.int().optional().describe('The open incident of this beat or group'),
  last_evidence_summary: z
    .string()
    .optional()
    .describe('The evidence of the last check; without checks, of the last transition'),
  last_transition_from_stage: z.string().optional(),
  last_transition_to_stage: z.string().optional(),
  last_action_created_at: momentOut().optional(),
  last_state_changed_at: momentOut().optional(),
  flapping: z.boolean().optional().describe('The stage changes too often; no actions until the flapping ends'),
  flapping_since: momentOut().optional(),
}
const { current_stage, current_incident_id, ...summaries } = stateOut
/** The same fields in a change: the stage and the incident are compared, the other fields are ignored. */
export const stateSentBack = {
  ...readOnly(...Object.keys({ current_stage, current_incident_id })),
  ...computed(...Object.keys(summaries)),
}

export const BeatResource = z
  .strictObject({
    id: z.int(),
    status_page_id: z.int(),
    external_id: z.string().optional(),
    ...inAnswer(beatFields),
    target: z.record(z.string(), z.unknown()).optional().describe('Secrets are shown as `•••`'),
    message_policy_translations: translationsOut(),
    ...componentsOut,
    has_component_warnings: z.boolean(),
    ...stateOut,
    open_fingerprints: z
      .array(z.strictObject({ fingerprint: z.string(), stage: BeatStage, since: momentOut(), trigger_id: z.int() }))
      .optional()
      .describe('In full records of the type external_event: what events report as ill'),
    last_evaluated_at: momentOut()
      .optional()
      .describe('The moment of the last check, or of the last call of a heartbeat'),
    unknown_since: momentOut().optional(),
    unknown_because: z.string().optional().describe('Why the stage is unknown'),
    heartbeat: HeartbeatCalls.optional().describe('The calls of a heartbeat'),
    heartbeat_url: unkept(z.string().optional()).describe(
      'The address that the target of a heartbeat calls. Only for clients that may write beats, and not in lists',
    ),
    version: z.int(),
    created_at: momentOut(),
    updated_at: momentOut(),
  })
  .meta({ id: 'SyntheticMonitor' })

const MOST_ITEMS = 500

const targets = [...new Set(Object.values(types).map(({ target }) => target))]

/**
 * `readTarget` validates a target with the schema of the type of its beat alone. The first schema of the union is tried
 * first and accepts any object, so no target is validated by the other schemas.
 */
const anyTarget = () =>
  z
    .union([z.record(z.string(), z.unknown()), ...targets], {
      error: ({ input }) => (input === undefined ? 'is required' : 'must be an object'),
    })
    .meta({ example: { url: 'https://example.com/health' } })
    .describe('The target, in the form of the type. `•••` stands for the stored secret')

/** The mapped items of a beat or a group in requests. */
export const componentsIn = {
  component_ids: z
    .array(id())
    .max(MOST_ITEMS)
    .optional()
    .describe(
      'The mapped items. One list with `component_refs`: the items of both, or of the one that differs from the stored list',
    ),
  component_refs: z.array(ItemRef).max(MOST_ITEMS).optional(),
}

const group = BeatGroupRef.nullable().describe(
  'Names the group, alone or together with `beat_group_id`: both must agree',
)

const derived = {
  ...readOnly('id', 'status_page_id'),
  ...computed(
    'created_at',
    'updated_at',
    'has_component_warnings',
    'component_warnings',
    'last_evaluated_at',
    'open_fingerprints',
  ),
  ...computed('unknown_since', 'unknown_because', 'heartbeat', 'heartbeat_url'),
  ...stateSentBack,
}

const example = {
  ...{ name: 'Checkout API', type: 'http', target: { url: 'https://example.com/health' } },
  threshold_policies: { critical_rule: { consecutive_failures: 3 } },
}

const creation = z.strictObject({
  ...inCreate(beatFields),
  target: anyTarget(),
  external_id: externalId().optional(),
  beat_group: group.optional(),
  ...componentsIn,
  message_policy_translations: newTranslations(messageWords),
})
export const BeatCreateRequest = withoutReadOnly(creation.meta({ example }), derived, 'version')
export const BeatPutRequest = creation
  .extend({ external_id: externalId(), version: version().optional(), ...derived })
  .meta({ example })

export const BeatUpdateRequest = z
  .strictObject({
    ...inChange(beatFields),
    type: BeatType.optional().describe('A new type needs a new target, unless the stored target fits'),
    target: anyTarget().optional(),
    beat_group: group.optional(),
    ...componentsIn,
    version: version().optional(),
    message_policy_translations: translations(messageWords),
    ...derived,
    ...readOnly('external_id'),
  })
  .meta({ example: { name: 'Checkout API' } })
