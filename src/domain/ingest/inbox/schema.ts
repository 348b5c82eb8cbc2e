import { z } from 'zod'
import { BeatStage } from '../../beats/definition/schema.ts'
import { pagingFields } from '../../kernel/paging.ts'
import { idInPath, moment, momentOut, view } from '../../kernel/schema.ts'

export const outcomes = [
  'transition',
  'evidence_updated',
  'duplicate',
  'stale',
  'no_match',
  'no_stage',
  'suppressed',
  'too_expensive',
  'error',
] as const

const EvaluationResource = z
  .strictObject({
    trigger_id: z.int(),
    trigger_name: z.string().optional().describe('Absent for a deleted trigger'),
    trigger_version: z.int(),
    element: z.int().describe('The index of the element at `each_path`'),
    outcome: z.enum(outcomes),
    leaf: z.string().optional().describe('The condition that decided'),
    stage: BeatStage.optional(),
    fingerprint: z.string().optional(),
    external_event_id: z.string().optional(),
    observed_at: momentOut().optional(),
    explanation: z.string(),
    transition: z.strictObject({ beat_id: z.int(), number: z.int() }).optional(),
    transitions: z.array(z.strictObject({ beat_id: z.int(), number: z.int() })),
    actions: z.array(z.int()).describe('The ids of the actions that followed from the transitions'),
  })
  .meta({ id: 'EventEvaluation' })

export const InboxEventResource = z
  .strictObject({
    id: z.int(),
    endpoint_id: z.int(),
    received_at: momentOut(),
    size: z.int(),
    state: z.enum(['pending', 'evaluated']),
    headers: z.record(z.string(), z.string()).optional(),
    payload: z.record(z.string(), z.unknown()).optional().describe('The redacted copy; the raw body is not readable'),
    payload_left_out: z
      .boolean()
      .optional()
      .describe(
        'A list leaves out a payload above 16 KiB, which the event itself has. An event that could not be redacted has no payload',
      ),
    evaluations: z.array(EvaluationResource).optional(),
    confirmation_url: z
      .string()
      .optional()
      .describe('For admins: the link by which Amazon SNS confirms a subscription'),
  })
  .meta({ id: 'InboxEvent' })

export const InboxListRequest = z.strictObject({
  view,
  endpoint_id: idInPath().optional().describe('Only events of this endpoint'),
  trigger_id: idInPath().optional().describe('Only events that this trigger has evaluated'),
  outcome: z.enum(outcomes).optional().describe('Only events with such an evaluation'),
  state: z.enum(['pending', 'evaluated']).optional(),
  from: moment().optional().describe('Only events that were received at this moment or later'),
  to: moment().optional().describe('Only events that were received before this moment'),
  ...pagingFields,
})
