import { z } from 'zod'
import { isSecretPath } from '../../../outbound/secret-rules.ts'
import type { ConditionTree } from '../../../persistence/entities/trigger-parts.ts'
import { BeatStage } from '../../beats/definition/schema.ts'
import { pagingFields } from '../../kernel/paging.ts'
import {
  computed,
  externalId,
  id,
  idInPath,
  line,
  momentOut,
  readOnly,
  text,
  version,
  view,
  withoutReadOnly,
} from '../../kernel/schema.ts'
import { conditionProblems, pathProblem } from './condition-problems.ts'

const MAX_VALUES = 100
const MAX_ASSOCIATIONS = 50

/** A JSON object that is validated by its nodes, in a schema without recursion. */
const conditions = () =>
  z
    .record(z.string(), z.unknown())
    .superRefine((tree, ctx) => {
      for (const { path, message } of conditionProblems(tree)) {
        ctx.addIssue({ code: 'custom', message, path: path === '' ? [] : path.split('.') })
      }
    })
    .transform((tree) => tree as unknown as ConditionTree)
    .describe(
      'A condition `{path, operator, value}`, or a group `{all: […]}` or `{any: […]}` of conditions and groups. A path begins with `$` for the payload (RFC 9535), or is `headers.<Header-Name>`, `event.received_at` or `event.payload.<path>`. A condition holds if any value at its path satisfies the operator.',
    )
    .meta({ example: { path: '$.status', operator: 'exists' } })

const path = () =>
  text(500).superRefine((value, ctx) => {
    const message = pathProblem(value)
    if (message !== null) ctx.addIssue({ code: 'custom', message })
  })

/** Mapped texts are taken from the redacted copy, where the value at a secret name is masked. */
const shownPath = () =>
  path().refine((value) => !isSecretPath(value), 'names a value that is redacted: its text would be [redacted]')

const stageMapping = () =>
  z
    .strictObject({
      state_path: path().optional(),
      values: z
        .record(text(200), BeatStage)
        .refine((values) => Object.keys(values).length <= MAX_VALUES, `may name ${MAX_VALUES} values`)
        .optional(),
      default_stage: BeatStage.optional(),
    })
    .refine(
      ({ state_path, values }) => (state_path === undefined) === (values === undefined),
      'needs both state_path and values, or neither',
    )
    .refine(
      ({ values, default_stage }) => default_stage !== undefined || Object.keys(values ?? {}).length > 0,
      'needs values, a default_stage, or both',
    )
    .meta({ id: 'StageMapping' })

const outputMapping = () =>
  z
    .strictObject({
      fingerprint_path: shownPath().optional().describe('What fires and recovers; absent: the trigger itself'),
      summary_path: shownPath().optional(),
      error_message_path: shownPath().optional(),
      region_path: shownPath().optional(),
      external_event_id_path: shownPath().optional().describe('The id of this report; another one for the recovery'),
      observed_at_path: path()
        .optional()
        .describe(
          'The time of the source: ISO 8601, or seconds or milliseconds since 1970. The year 1 means "not ended"',
        ),
    })
    .refine(({ fingerprint_path: fingerprint, external_event_id_path: id }) => id === undefined || id !== fingerprint, {
      path: ['external_event_id_path'],
      message: 'must not be the fingerprint: a recovery would be taken for a duplicate of its firing event',
    })
    .meta({ id: 'OutputMapping' })

const modes = ['draft_only', 'automatic'] as const
const safetySettings = () =>
  z.strictObject({ public_post_mode: z.enum(modes).optional() }).meta({ id: 'SafetySettings' })

const kinds = ['beat', 'beat_group'] as const
const roles = ['stage', 'evidence'] as const

const Association = z
  .strictObject({
    monitor_id: id().optional(),
    monitor: z
      .strictObject({ id: id().optional(), external_id: externalId().optional() })
      .refine((one) => (one.id ?? one.external_id) !== undefined, 'needs an id or an external_id')
      .optional(),
    kind: z.enum(kinds).default('beat'),
    role: z.enum(roles).default('stage').describe('`stage` sets the stage, `evidence` only adds evidence'),
  })
  .refine((one) => (one.monitor_id ?? one.monitor) !== undefined, 'needs a monitor_id or a monitor')
  .meta({ id: 'TriggerAssociationRequest' })

const source = () =>
  z
    .strictObject({ id: id().optional(), external_id: externalId().optional() })
    .refine((one) => (one.id ?? one.external_id) !== undefined, 'needs an id or an external_id')

const fields = {
  name: line(200),
  source_id: id(),
  source: source(),
  enabled: z.boolean(),
  draft: z.boolean().describe('A draft is evaluated in previews only'),
  each_path: path().nullable().describe('Evaluates each node at this path by itself: the root $ is the node'),
  conditions: conditions().nullable().describe('null matches every event'),
  stage_mapping: stageMapping(),
  output_mapping: outputMapping(),
  safety_settings: safetySettings(),
  associations: z.array(Association).max(MAX_ASSOCIATIONS),
  silence_minutes: z
    .int()
    .min(1)
    .max(43_200)
    .nullable()
    .describe('Resolves a fingerprint that no event has named for so long'),
}

const confirmation = {
  confirm_no_evidence: z
    .boolean()
    .optional()
    .describe('Enables the trigger although a path of the trigger is in no stored event'),
}

const derived = {
  ...readOnly('id', 'disabled_because'),
  ...computed('created_at', 'updated_at', 'match_count', 'last_matched_at'),
}

export const TriggerCreateRequest = withoutReadOnly(
  z.strictObject({
    ...fields,
    external_id: externalId().optional(),
    source_id: fields.source_id.optional(),
    source: fields.source.optional(),
    enabled: fields.enabled.default(true),
    draft: fields.draft.default(false),
    each_path: fields.each_path.default(null),
    conditions: fields.conditions.default(null),
    output_mapping: fields.output_mapping.default({}),
    safety_settings: fields.safety_settings.default({}),
    associations: fields.associations.default([]),
    silence_minutes: fields.silence_minutes.default(null),
    ...confirmation,
  }),
  derived,
  'version',
)

export const TriggerPutRequest = z.strictObject({
  ...TriggerCreateRequest.shape,
  external_id: externalId(),
  enabled: fields.enabled.optional(),
  draft: fields.draft.optional(),
  version: version().optional(),
  ...derived,
})

export const TriggerUpdateRequest = z.strictObject({
  ...(z.strictObject(fields).partial().shape as { [K in keyof typeof fields]: z.ZodOptional<(typeof fields)[K]> }),
  ...confirmation,
  version: version().optional(),
  ...derived,
  ...readOnly('external_id'),
})

export const TriggerResource = z
  .strictObject({
    id: z.int(),
    external_id: z.string().optional(),
    name: z.string(),
    source_id: z.int(),
    enabled: z.boolean(),
    draft: z.boolean(),
    each_path: z.string().nullable().optional(),
    conditions: z.record(z.string(), z.unknown()).nullable().optional(),
    stage_mapping: z
      .strictObject({
        state_path: z.string().optional(),
        values: z.record(z.string(), BeatStage).optional(),
        default_stage: BeatStage.optional(),
      })
      .optional(),
    output_mapping: z.record(z.string(), z.string()).optional(),
    safety_settings: safetySettings().optional(),
    associations: z
      .array(
        z.strictObject({
          monitor_id: z.int(),
          monitor: z.strictObject({ id: z.int(), external_id: z.string().optional() }),
          kind: z.enum(kinds),
          role: z.enum(roles),
        }),
      )
      .optional(),
    silence_minutes: z.int().nullable().optional(),
    match_count: z.int(),
    last_matched_at: momentOut().nullable(),
    disabled_because: z.string().optional().describe('Why the service disabled the trigger'),
    version: z.int(),
    created_at: momentOut(),
    updated_at: momentOut(),
  })
  .meta({ id: 'ExternalTrigger' })

export const TriggerListRequest = z.strictObject({
  view,
  source_id: idInPath().optional().describe('Only triggers of this endpoint'),
  enabled: z.stringbool().optional(),
  ...pagingFields,
})

const {
  confirm_no_evidence: _confirmation,
  enabled: _enabled,
  draft: _draft,
  ...previewed
} = TriggerCreateRequest.shape

/** A trigger in a preview: whether the trigger is enabled does not matter. */
export const previewedTrigger = z.strictObject({
  ...previewed,
  name: fields.name.default('Preview'),
  enabled: fields.enabled.optional(),
  draft: fields.draft.optional(),
})

export const previewedTriggerChanges = z.strictObject(fields).partial()
