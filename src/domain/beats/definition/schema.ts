import { z } from 'zod'
import { ItemRef } from '../../hierarchy/schema.ts'
import {
  computed,
  externalId,
  id,
  line,
  moment,
  momentOut,
  readOnly,
  text,
  unkept,
  version,
  withoutReadOnly,
} from '../../kernel/schema.ts'
import { inList } from '../../kernel/text-rules.ts'
import { newTranslations, translations, translationsOut } from '../../translations/schema.ts'
import { HeartbeatCalls } from '../heartbeats/schema.ts'
import { beatTypes, reportedTypes, types } from '../types/index.ts'
import { BeatGroupRef } from './group-reference.ts'
import { ActionPolicies, MessagePolicies, messageWords } from './policies.ts'
import { ranges } from './range-rules.ts'
import { regionName } from './regions.ts'
import { stages } from './stages-rules.ts'
import { ThresholdPolicies } from './thresholds.ts'

export const BeatStage = z.enum(stages).meta({ id: 'BeatStage' })
export const BeatType = z.enum(beatTypes).meta({ id: 'BeatType' })

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

export const switchesOut = {
  automation_paused: z.boolean(),
  automation_pause_reason: z.string().optional(),
  muted_until: momentOut().optional(),
}

export const policiesOut = {
  impact: z.string().optional(),
  affected_items_freetext: z.string().optional(),
  action_policies: ActionPolicies.optional(),
  message_policies: MessagePolicies.optional(),
  message_policy_translations: translationsOut(),
}

export const BeatResource = z
  .strictObject({
    id: z.int(),
    status_page_id: z.int(),
    name: z.string(),
    description: z.string(),
    external_id: z.string().optional(),
    type: BeatType,
    beat_group_id: z.int().optional(),
    enabled: z.boolean(),
    interval_seconds: z.int(),
    timeout_ms: z.int().optional(),
    regions: z.array(z.string()).optional(),
    target: z.record(z.string(), z.unknown()).optional().describe('Secrets are shown as `•••`'),
    threshold_policies: ThresholdPolicies.optional(),
    ...switchesOut,
    ...policiesOut,
    ...componentsOut,
    has_component_warnings: z.boolean(),
    public_metrics_enabled: z.boolean().optional(),
    public_metrics_component_id: z.int().optional(),
    public_metrics_label: z.string().optional(),
    public_metrics_max_range: z.enum(ranges).optional(),
    ...stateOut,
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
const MOST_REGIONS = 50

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

/** The fields of requests that beats and groups share. */
export const sharedFields = {
  description: text(20_000),
  impact: text(200).nullable(),
  affected_items_freetext: text(2000).nullable(),
  automation_paused: z.boolean().describe('The stage is still computed, without actions'),
  automation_pause_reason: text(500).nullable(),
  muted_until: moment().nullable().describe('No actions and no notifications until this moment'),
  component_ids: z
    .array(id())
    .max(MOST_ITEMS)
    .describe(
      'The mapped items. One list with `component_refs`: the items of both, or of the one that differs from the stored list',
    ),
  component_refs: z.array(ItemRef).max(MOST_ITEMS),
  action_policies: ActionPolicies,
  message_policies: MessagePolicies,
}

const fields = {
  ...sharedFields,
  beat_group_id: id().nullable().describe('null removes the beat from its group'),
  beat_group: BeatGroupRef.nullable().describe(
    'Names the group, alone or together with `beat_group_id`: both must agree',
  ),
  enabled: z.boolean().describe('`false`: no checks'),
  interval_seconds: z.int().min(1).max(86_400),
  timeout_ms: z.int().min(100).max(60_000),
  regions: z
    .array(regionName())
    .min(1)
    .max(MOST_REGIONS)
    .refine((names) => new Set(names).size === names.length, 'must not name a region twice')
    .describe(
      'The regions that check the beat; by default `synthetics_region`, else the first region of the installation. Any region can be named: within a minute after no worker serves a region, `unknown_because` has the reason if no other region checks the beat, else the history of the beat',
    ),
  threshold_policies: ThresholdPolicies.describe(
    `A \`warning_rule\` or a \`critical_rule\` is required, except for ${inList(reportedTypes)}`,
  ),
  public_metrics_enabled: z.boolean().describe('Readers see uptime and latencies at a mapped item'),
  public_metrics_component_id: id().nullable().describe('One of the mapped items; by default the first'),
  public_metrics_label: text(200).nullable(),
  public_metrics_max_range: z.enum(ranges).nullable(),
}

export const optional = <F extends Record<string, z.ZodType>>(shape: F) =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, field.optional()])) as {
    [K in keyof F]: z.ZodOptional<F[K]>
  }

/** Fields that null clears in a change although their columns are never null. */
export const clearable = {
  description: sharedFields.description.nullable().optional(),
  action_policies: ActionPolicies.nullable().optional(),
  message_policies: MessagePolicies.nullable().optional(),
}

const derived = {
  ...readOnly('id', 'status_page_id'),
  ...computed('created_at', 'updated_at', 'has_component_warnings', 'component_warnings', 'last_evaluated_at'),
  ...computed('unknown_since', 'unknown_because', 'heartbeat', 'heartbeat_url'),
  ...stateSentBack,
}

const example = {
  ...{ name: 'Checkout API', type: 'http', target: { url: 'https://example.com/health' } },
  threshold_policies: { critical_rule: { consecutive_failures: 3 } },
}

const creation = z.strictObject({
  name: line(200),
  type: BeatType,
  target: anyTarget(),
  external_id: externalId().optional(),
  ...optional(fields),
  message_policy_translations: newTranslations(messageWords),
})
export const BeatCreateRequest = withoutReadOnly(creation.meta({ example }), derived, 'version')
export const BeatPutRequest = creation
  .extend({ external_id: externalId(), version: version().optional(), ...derived })
  .meta({ example })

export const BeatUpdateRequest = z
  .strictObject({
    name: line(200).optional(),
    type: BeatType.optional().describe('A new type needs a new target, unless the stored target fits'),
    target: anyTarget().optional(),
    ...optional(fields),
    ...clearable,
    version: version().optional(),
    message_policy_translations: translations(messageWords),
    ...derived,
    ...readOnly('external_id'),
  })
  .meta({ example: { name: 'Checkout API' } })
