import { z } from 'zod'
import { id, line, text } from '../../kernel/schema.ts'

/** What a beat or a group does when its stage changes, and what it says then. */

const actionPolicy = z
  .strictObject({
    admin_banner: z.boolean().optional().describe('Show operators a banner'),
    public_post: z.boolean().optional().describe('Tell customers by an incident'),
    public_post_mode: z
      .enum(['draft_only', 'automatic'])
      .optional()
      .describe('`draft_only`, unless set: somebody approves each post first'),
    incident_status: z
      .string()
      .min(1)
      .max(50)
      .optional()
      .describe('A status type of the page; of warning and critical one that is not operational'),
    lifecycle_stage_name: line(100).optional(),
    reminder_interval_minutes: z.int().min(1).max(43_200).nullable().optional(),
    reopen_within_minutes: z
      .int()
      .min(1)
      .max(43_200)
      .optional()
      .describe(
        'Of warning and critical: an incident of this beat that was resolved no longer ago is opened again; otherwise there is a new one',
      ),
  })
  .meta({ id: 'BeatActionPolicy', example: { admin_banner: true, public_post: true, public_post_mode: 'draft_only' } })
export type ActionPolicy = z.output<typeof actionPolicy>

const words = { title: line(300), body: text(20_000) }

const messagePolicy = z
  .strictObject({
    title: words.title.optional(),
    body: words.body.optional(),
    preset_message_id: id().nullable().optional().describe('A preset for what `title` and `body` leave out'),
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

/** What messages may say in other languages, by stage and field. */
export const messageWords = {
  'warning.title': words.title,
  'warning.body': words.body,
  'critical.title': words.title,
  'critical.body': words.body,
  'recovery.title': words.title,
  'recovery.body': words.body,
}

/** What its policies call a stage: being healthy again is recovery. */
export const policyStageOf = (stage: string): PolicyStage =>
  stage === 'critical' || stage === 'warning' ? stage : 'recovery'
