import { z } from 'zod'
import { idInPath, line, momentOut, text } from '../../kernel/schema.ts'
import { PlanResource } from '../plans/schema.ts'

const key = () => z.string().min(1).max(500)
const name = () => z.string().max(200).optional()

const DelegatingAgent = z
  .strictObject({ name: name(), provider: name(), chat_app_id: z.string().max(200).optional() })
  .meta({ id: 'DelegatingAgent' })

const Conversation = z
  .strictObject({
    external_thread_key: key().optional().describe('Names the conversation; without the key a turn has no memory'),
    external_message_key: key()
      .optional()
      .describe("Names the user's message; without the key each request is a turn of its own"),
  })
  .meta({ id: 'DelegationConversation' })

const ChatContext = z
  .strictObject({
    team_id: name(),
    channel_id: name(),
    channel_type: name(),
    thread_ts: name(),
    message_ts: name(),
  })
  .meta({ id: 'DelegationChatContext' })

const surface = () => z.string().max(100).optional().describe('`chat_delegated_bot` for a bot in a chat')

export const RespondRequest = z
  .strictObject({
    query: z
      .string()
      .max(4000)
      .refine((query) => query.trim() !== '', 'must not be empty'),
    surface: surface(),
    delegating_agent: DelegatingAgent.optional(),
    actor: z
      .strictObject({ chat_team_id: name(), chat_user_id: name() })
      .meta({ id: 'DelegationActor' })
      .optional()
      .describe('The person in the chat: stored for audit, grants nothing'),
    conversation: Conversation.optional(),
    chat_context: ChatContext.optional(),
  })
  .meta({ id: 'DelegationRespondRequest' })

export const outcomes = [
  'answered',
  'plan_drafted',
  'needs_input',
  'not_permitted',
  'not_understood',
  'processing',
] as const

export const directives = ['delegation_post', 'delegation_noop'] as const

export const DelegationAnswer = z
  .strictObject({
    turn_id: z.int(),
    outcome: z.enum(outcomes).describe('`processing`: the answer is not ready, and the same request gets it later'),
    thread_title: z.string(),
    summary: z.string(),
    markdown: z.string(),
    transport_directive: z.enum(directives).describe('`delegation_noop`: do not post'),
    plan: PlanResource.optional(),
    sources: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe('For an answer about reviews: the events that caused the actions'),
    idempotent: z.boolean().describe('Whether the request had an `external_message_key`'),
    generated_by: z.enum(['rules', 'model']),
    fallback_reason: z.string().optional().describe('Why the rules answered instead of the model'),
  })
  .meta({ id: 'DelegationAnswer' })

export const DeliveryRequest = z
  .strictObject({
    response_key: key(),
    surface: surface(),
    delegating_agent: DelegatingAgent.optional(),
    conversation: Conversation.extend({ external_message_key: key() }),
    chat_context: ChatContext.optional(),
  })
  .meta({ id: 'DelegationDeliveryRequest' })

export const DeliveryAnswer = z
  .strictObject({ turn_id: z.int(), response_key: z.string(), delivered_at: momentOut() })
  .meta({ id: 'DelegationDelivery' })

const ratings = ['positive', 'negative'] as const

export const FeedbackRequest = z
  .strictObject({
    response_key: key(),
    rating: z.enum(ratings),
    reason: text(2000).optional(),
    surface: surface(),
    conversation: Conversation.optional(),
  })
  .meta({ id: 'DelegationFeedbackRequest' })

export const FeedbackAnswer = z
  .strictObject({ turn_id: z.int(), rating: z.enum(ratings), recorded_at: momentOut() })
  .meta({ id: 'DelegationFeedback' })

export const TurnResource = z
  .strictObject({
    id: z.int(),
    query: z.string(),
    state: z.enum(['processing', 'answered']),
    asked_by: z.strictObject({ token_id: z.int(), name: z.string() }),
    surface: z.string().optional(),
    delegating_agent: DelegatingAgent.optional(),
    actor: z.record(z.string(), z.unknown()).optional(),
    conversation: Conversation,
    chat_context: ChatContext.optional(),
    answer: z.record(z.string(), z.unknown()).optional(),
    plan_id: z.int().optional(),
    created_at: momentOut(),
    answered_at: momentOut().nullable(),
    response_key: z.string().optional(),
    delivered_at: momentOut().nullable(),
    rating: z.enum(ratings).optional(),
    rating_reason: z.string().optional(),
    rated_at: momentOut().nullable(),
  })
  .meta({ id: 'DelegationTurn' })

export const turnFilters = {
  thread: line(500).optional().describe('Only turns with this `external_thread_key`'),
  rating: z.enum(ratings).optional(),
  plan_id: idInPath().optional(),
}
