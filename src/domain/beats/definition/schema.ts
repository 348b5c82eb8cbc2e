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
import { newTranslations, translations, translationsOut } from '../../translations/schema.ts'
import { HeartbeatCalls } from '../heartbeats/schema.ts'
import { stages } from '../stage/stage-rules.ts'
import { beatTypes, targets } from '../types/index.ts'
import { BeatGroupRef } from './group-reference.ts'
import { ActionPolicies, MessagePolicies, messageWords } from './policies.ts'
import { ranges } from './range-rules.ts'
import { regionName } from './regions.ts'
import { ThresholdPolicies } from './thresholds.ts'

export const BeatStage = z.enum(stages).meta({ id: 'BeatStage' })
export const BeatType = z.enum(beatTypes).meta({ id: 'BeatType' })

const ComponentRef = z
  .strictObject({ id: z.int(), slug: z.string(), external_id: z.string().optional() })
  .meta({ id: 'BeatComponentRef' })

/** What records that stand for items show of them. */
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
    .describe('Mapped items that are gone or in the archive'),
}

/** What beats and groups of beats show alike of what happens to them. */
export const stateOut = {
  current_stage: BeatStage.nullable().describe('null until it is known, and while it is not'),
  current_incident_id: z.int().optional().describe('The incident by which it is told, while that is open'),
  last_evidence_summary: z
    .string()
    .optional()
    .describe('What the last check saw; of what is not checked, what made the last transition'),
  last_transition_from_stage: z.string().optional(),
  last_transition_to_stage: z.string().optional(),
  last_action_created_at: momentOut().optional(),
  last_state_changed_at: momentOut().optional(),
  flapping: z.boolean().optional().describe('It changes its stage too often, and does nothing until that has passed'),
  flapping_since: momentOut().optional(),
}
const { current_stage, current_incident_id, ...summaries } = stateOut
/** The same in a change: the stage and the incident cannot be set, the rest is computed. */
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
    target: z.record(z.string(), z.unknown()).optional().describe('What is secret in it is shown as `•••`'),
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
    last_evaluated_at: momentOut().optional().describe('When it was checked last, or the other side called'),
    unknown_since: momentOut().optional(),
    unknown_because: z.string().optional().describe('Why nobody knows its stage at present'),
    heartbeat: HeartbeatCalls.optional().describe('Of a heartbeat: what was heard of the other side'),
    heartbeat_url: unkept(z.string().optional()).describe(
      'Of a heartbeat: what the other side calls. For those who may write beats, where the beat is read by itself',
    ),
    version: z.int(),
    created_at: momentOut(),
    updated_at: momentOut(),
  })
  .meta({ id: 'SyntheticMonitor' })

const MOST_ITEMS = 500
const MOST_REGIONS = 50

const { http, tcp, dns, tls, ping, heartbeat, external_event } = targets

/**
 * The type of the beat says which of these a target is, and `readTarget` validates the target as that one alone. The first
 * of a union is tried first, and accepts any object, so no target is validated by each of the others.
 */
const anyTarget = () =>
  z
    .union([z.record(z.string(), z.unknown()), http, tcp, dns, tls, ping, heartbeat, external_event], {
      error: ({ input }) => (input === undefined ? 'is required' : 'must be an object'),
    })
    .meta({ example: { url: 'https://example.com/health' } })
    .describe('What is checked, as its type asks for. What was read as `•••` stands for what is stored')

/** What a request says alike of beats and of groups of beats. */
export const sharedFields = {
  description: text(20_000),
  impact: text(200).nullable(),
  affected_items_freetext: text(2000).nullable(),
  automation_paused: z.boolean().describe('Its stage is followed, and nothing is done about it'),
  automation_pause_reason: text(500).nullable(),
  muted_until: moment().nullable().describe('Until then neither actions nor notifications'),
  component_ids: z
    .array(id())
    .max(MOST_ITEMS)
    .describe('The items that it stands for. With `component_refs` one list: what either names, or what one says anew'),
  component_refs: z.array(ItemRef).max(MOST_ITEMS),
  action_policies: ActionPolicies,
  message_policies: MessagePolicies,
}

const fields = {
  ...sharedFields,
  beat_group_id: id().nullable().describe('null leaves its group'),
  beat_group: BeatGroupRef.nullable().describe('Names the group, alone or beside `beat_group_id`: both must agree'),
  enabled: z.boolean().describe('`false`: no checks'),
  interval_seconds: z.int().min(1).max(86_400),
  timeout_ms: z.int().min(100).max(60_000),
  regions: z
    .array(regionName())
    .min(1)
    .max(MOST_REGIONS)
    .refine((names) => new Set(names).size === names.length, 'must not name a region twice')
    .describe(
      'Where it is checked from; by default `synthetics_region`, else the first region of the installation. Any region can be named: while no worker serves a region, the beat says so within a minute, in `unknown_because` where no other region checks it, else in its history',
    ),
  threshold_policies: ThresholdPolicies.describe(
    'A `warning_rule` or a `critical_rule` is needed, except for heartbeat and external_event',
  ),
  public_metrics_enabled: z.boolean().describe('Readers see how long it takes, at a mapped item'),
  public_metrics_component_id: id().nullable().describe('One of the mapped items; the first unless set'),
  public_metrics_label: text(200).nullable(),
  public_metrics_max_range: z.enum(ranges).nullable(),
}

export const optional = <F extends Record<string, z.ZodType>>(shape: F) =>
  Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, field.optional()])) as {
    [K in keyof F]: z.ZodOptional<F[K]>
  }

/** In a change null clears, also what is never null. */
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
    type: BeatType.optional().describe('Another one needs a target of its own, unless the stored one fits'),
    target: anyTarget().optional(),
    ...optional(fields),
    ...clearable,
    version: version().optional(),
    message_policy_translations: translations(messageWords),
    ...derived,
    ...readOnly('external_id'),
  })
  .meta({ example: { name: 'Checkout API' } })
