import { z } from 'zod'
import { id, line, text } from '../../kernel/schema.ts'

/** The actions of a beat or a group after a change of its stage, and the texts of these actions. */

const actionPolicy = z
  .strictObject({
    admin_banner: z.boolean().optional().describe('Show operators a banner'),
    public_post: z.boolean().optional().describe('Open, update or resolve an incident'),
    public_post_mode: z
      .enum(['draft_only', 'automatic'])
      .optional()
      .describe('By default `draft_only`: a person approves each post first'),
    incident_status: z
      .string()
      .min(1)
      .max(50)
      .optional()
      .describe('A status type of the page; for warning and critical a status that is not operational'),
    lifecycle_stage_name: line(100).optional(),
    reminder_interval_minutes: z.int().min(1).max(43_200).nullable().optional(),
    reopen_within_minutes: z
      .int()
      .min(1)
      .max(43_200)
      .optional()
      .describe(
        'For warning and critical: an incident of this beat that was resolved within this time is reopened; otherwise a new incident is opened',
      ),
  })
  .meta({ id: 'BeatActionPolicy', example: { admin_banner: true, public_post: true, public_post_mode: 'draft_only' } })
export type ActionPolicy = z.output<typeof actionPolicy>

const words = { title: line(300), body: text(20_000) }

const messagePolicy = z
  .strictObject({
    title: words.title.optional(),
    body: words.body.optional(),
    preset_message_id: id().nullable().optional().describe('A preset for the absent ones of `title` and `body`'),
  })
  .meta({ id: 'BeatMessagePolicy', example: { title: '{{Monitor-Name}} is {{Monitor-Stage}}' } })

const perStage = <T extends z.ZodType>(policy: T) =>
  z.strictObject({ warning: policy.optional(), critical: policy.optional(), recovery: policy.optional() })

export const ActionPolicies = perStage(actionPolicy).meta({ id: 'BeatActionPolicies', example: {} })
export type ActionPolicies = z.output<typeof ActionPolicies>

export const MessagePolicies = perStage(messagePolicy).meta({ id: 'BeatMessagePolicies', example: {} })
export type MessagePolicies = z.output<typeof MessagePolicies>

export type PolicyStage = keyof ActionPolicies
export const policyStages = ['warning', 'critical', 'recovery'] as const satisfies PolicyStage[]

/** The translatable texts of messages, by stage and field. */
export const messageWords = {
  'warning.title': words.title,
  'warning.body': words.body,
  'critical.title': words.title,
  'critical.body': words.body,
  'recovery.title': words.title,
  'recovery.body': words.body,
}

/** The key of a stage in policies: `healthy` is `recovery`. */
export const policyStageOf = (stage: string): PolicyStage =>
  stage === 'critical' || stage === 'warning' ? stage : 'recovery'
