import { z } from 'zod'
import { momentOut } from '../kernel/schema.ts'
import { deliveryStates } from '../notifications/counts-schema.ts'

export const deliveryChannels = ['email', 'webhook', 'in_app'] as const

const DeliveryAttempt = z
  .strictObject({
    at: momentOut(),
    status_code: z.int().optional().describe('Of a webhook'),
    smtp_code: z.int().optional().describe('Of an email'),
    answer: z.string().optional().describe('Only for admins: receivers may repeat the address'),
    duration_ms: z.int(),
  })
  .meta({ id: 'DeliveryAttempt' })

const RenderedMessage = z
  .strictObject({
    subject: z.string().optional(),
    text: z.string().optional(),
    html: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.unknown().optional(),
  })
  .meta({ id: 'RenderedMessage' })

export const DeliveryResource = z
  .strictObject({
    id: z.int(),
    notification_id: z.int(),
    subscriber_id: z.int().optional(),
    recipient: z.string().optional().describe('The address; only for admins'),
    channel: z.enum(deliveryChannels),
    state: z.enum(deliveryStates),
    reason: z
      .string()
      .optional()
      .describe(
        'Why nothing is or was sent: `refused`, `gave_up`, or for a suppressed delivery `too_old`, `out_of_scope`, `subscriber_suppressed`, `subscriber_unsubscribed`, `subscriber_disabled`, `subscriber_deleted`, `subject_deleted`, `already_confirmed`, `not_in_settings`, `email_delivery_mode_log`, `email_not_configured`, `no_secret`',
      ),
    digest: z.boolean().optional().describe('Part of a daily mail'),
    attempts: z.array(DeliveryAttempt),
    next_attempt_at: momentOut().nullable(),
    sent_at: momentOut().nullable(),
    rendered: RenderedMessage.optional().describe(
      'The message as it is sent, of a daily mail the part about this notification; only for admins, and links are masked unless `email_delivery_mode` is `log`',
    ),
    created_at: momentOut(),
    updated_at: momentOut(),
  })
  .meta({ id: 'Delivery' })
