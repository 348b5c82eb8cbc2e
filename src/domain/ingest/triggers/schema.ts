import { z } from 'zod'
import { BeatStage } from '../../beats/definition/schema.ts'
import { pagingFields } from '../../kernel/paging.ts'
import {
  computed,
  externalId,
  id,
  idInPath,
  inOneLine,
  line,
  momentOut,
  readOnly,
  version,
  view,
  withoutReadOnly,
} from '../../kernel/schema.ts'
import {
  Association,
  conditions,
  kinds,
  MAX_ASSOCIATIONS,
  outputMapping,
  path,
  roles,
  safetySettings,
  source,
  stageMapping,
} from './parts-schema.ts'

const fields = {
  name: inOneLine(line(200)),
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
