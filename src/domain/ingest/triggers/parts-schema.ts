import { z } from 'zod'
import { isSecretPath } from '../../../outbound/secret-rules.ts'
import type { ConditionTree } from '../../../persistence/entities/trigger-parts.ts'
import { BeatStage } from '../../beats/definition/schema.ts'
import { externalId, id, text } from '../../kernel/schema.ts'
import { conditionProblems, pathProblem } from './condition-problems.ts'
import { IS_FINGERPRINT, isFingerprint } from './report-id-rules.ts'

/** The schemas of the parts of a trigger in a request. */

const MAX_VALUES = 100
export const MAX_ASSOCIATIONS = 50

/** A JSON object that is validated by its nodes, in a schema without recursion. */
export const conditions = () =>
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

export const path = () =>
  text(500).superRefine((value, ctx) => {
    const message = pathProblem(value)
    if (message !== null) ctx.addIssue({ code: 'custom', message })
  })

/** Mapped texts are taken from the redacted copy, where the value at a secret name is masked. */
const shownPath = () =>
  path().refine((value) => !isSecretPath(value), 'names a value that is redacted: its text would be [redacted]')

export const stageMapping = () =>
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

export const outputMapping = () =>
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
    .refine((paths) => !isFingerprint(paths, true), { path: ['external_event_id_path'], message: IS_FINGERPRINT })
    .meta({ id: 'OutputMapping' })

const modes = ['draft_only', 'automatic'] as const
export const safetySettings = () =>
  z.strictObject({ public_post_mode: z.enum(modes).optional() }).meta({ id: 'SafetySettings' })

export const kinds = ['beat', 'beat_group'] as const
export const roles = ['stage', 'evidence'] as const

export const Association = z
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

export const source = () =>
  z
    .strictObject({ id: id().optional(), external_id: externalId().optional() })
    .refine((one) => (one.id ?? one.external_id) !== undefined, 'needs an id or an external_id')
