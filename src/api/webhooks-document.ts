import type { z } from 'zod'
import type { JsonSchema } from '../domain/kernel/json-schema.ts'
import { webhookEvents } from '../domain/notifications/channels/webhook/schema.ts'

/** The section `webhooks` of the OpenAPI document: what a webhook subscriber receives. */

const header = (name: string, description: string) => ({
  ...{ name, in: 'header', required: true, description },
  schema: { type: 'string' },
})
const headers = [
  header('webhook-id', 'The id of the message, the same on every attempt'),
  header('webhook-timestamp', 'The moment of the attempt, in seconds since 1970'),
  header('webhook-signature', 'Signatures of `{webhook-id}.{webhook-timestamp}.{body}`, separated by spaces'),
]
export const webhookResponses = {
  Delivered: { description: 'The message is delivered' },
  Gone: { description: 'The subscriber is disabled' },
  Retried: { description: 'Another attempt follows' },
}
const responses = {
  '2XX': { $ref: '#/components/responses/Delivered' },
  410: { $ref: '#/components/responses/Gone' },
  default: { $ref: '#/components/responses/Retried' },
}
const INTERNAL = 'Internal: only subscriptions with `internal` get the event.'
const descriptions: Record<string, string> = {
  'incident.reminder': INTERNAL,
  'incident.long_running': INTERNAL,
  'maintenance.reminder':
    'Public before the start of a window (`details.reminder` is `before_start`), otherwise internal.',
  'maintenance.overrun': INTERNAL,
  'beat.stage_changed': INTERNAL,
  'beat.review_requested': INTERNAL,
  'subscription.test': 'Sent by `POST /subscribers/{id}/test`, whatever the subscriptions are.',
}

/** One entry for each event key. */
export function webhooksOf(writer: { write(schema: z.ZodType, io: 'output'): JsonSchema }) {
  const entries = webhookEvents.flatMap(({ keys, body }) => {
    const schema = writer.write(body, 'output')
    return keys.map((key) => [key, { post: received(key, schema) }])
  })
  return Object.fromEntries(entries)
}

const received = (key: string, schema: JsonSchema) => ({
  ...{ operationId: `webhook.${key}`, tags: ['Webhooks'], summary: `The event ${key}`, security: [{}] },
  ...(descriptions[key] ? { description: descriptions[key] } : {}),
  parameters: headers.map((one) => ({ ...one })),
  requestBody: { required: true, content: { 'application/json': { schema } } },
  responses,
})
