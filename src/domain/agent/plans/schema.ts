import { z } from 'zod'
import { line, momentOut, text, version } from '../../kernel/schema.ts'

export const planStatuses = [
  'needs_input',
  'ready',
  'executing',
  'executed',
  'failed',
  'conflicted',
  'expired',
  'cancelled',
] as const

const PlanStep = z
  .strictObject({
    id: z.string(),
    operation: z.string(),
    area: z.string(),
    permission: z.string(),
    input: z.record(z.string(), z.unknown()).describe('With `id` for the record that the operation changes'),
    effect: z.string().describe('What the step does, in words'),
    status: z.enum(['pending', 'running', 'done', 'failed', 'skipped']),
    result: z
      .strictObject({ kind: z.string(), id: z.int(), version: z.int().optional() })
      .optional()
      .describe('The record that the step created or changed'),
    error: z.string().optional(),
  })
  .meta({ id: 'PlanStep' })

const PlanQuestion = z
  .strictObject({
    key: z.string(),
    prompt: z.string(),
    kind: z.string(),
    options: z.array(z.strictObject({ value: z.string(), label: z.string() })).optional(),
    required: z.boolean(),
    answer: z.unknown().optional(),
  })
  .meta({ id: 'PlanQuestion' })

export const PlanResource = z
  .strictObject({
    id: z.int(),
    turn_id: z.int().optional(),
    status: z.enum(planStatuses),
    summary: z.string(),
    steps: z.array(PlanStep),
    questions: z.array(PlanQuestion),
    conflicts: z
      .array(
        z.strictObject({
          kind: z.string(),
          id: z.int(),
          field: z.string().describe('`record` for a deleted record'),
          was: z.unknown(),
          is: z.unknown(),
        }),
      )
      .describe('What has changed since the plan was drafted'),
    created_at: momentOut(),
    expires_at: momentOut(),
    confirmed_at: momentOut().nullable(),
    confirmed_by: z.strictObject({ token_id: z.int(), name: z.string() }).nullable(),
    ended_because: z.string().optional(),
    version: z.int(),
  })
  .meta({ id: 'ActionPlan' })

const conversation = z.record(z.string(), z.unknown()).optional()
const surface = text(100).optional()

export const MAX_STEPS = 20

export const StepRequest = z
  .strictObject({
    operation: line(100).describe('The name of an operation, as in `operations` of the capabilities'),
    input: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('As the body of the operation; `id` or `external_id` names the record that it changes'),
  })
  .meta({ id: 'PlanStepRequest' })

export const PlanCreateRequest = z
  .strictObject({ steps: z.array(StepRequest).min(1).max(MAX_STEPS), summary: line(500).optional() })
  .meta({ id: 'PlanCreateRequest' })

export const PlanConfirmRequest = z
  .strictObject({ version: version().optional(), surface, conversation })
  .meta({ id: 'PlanConfirmRequest' })

const answer = z.union([text(4000), z.number(), z.boolean(), z.array(text(200)).max(50)])

export const PlanRespondRequest = z
  .strictObject({
    answers: z
      .record(z.string(), answer)
      .refine((answers) => Object.keys(answers).length > 0, 'must answer a question')
      .describe('By the `key` of the question'),
    version: version().optional(),
    surface,
    conversation,
  })
  .meta({ id: 'PlanRespondRequest' })

export const PlanCancelRequest = z
  .strictObject({ reason: text(500).optional(), version: version().optional(), surface, conversation })
  .meta({ id: 'PlanCancelRequest' })
