import type { Message, Rendered } from '../channel.ts'
import { payloadOf } from './payload-rules.ts'

export const fixedHeaders = { 'Content-Type': 'application/json; charset=utf-8' }

export const bodyOf = (message: Message): string => JSON.stringify(payloadIn(message))

export const render = (message: Message): Rendered => ({
  headers: { ...fixedHeaders, 'webhook-id': message.id },
  body: payloadIn(message),
})

/** A webhook has exactly one notification. */
function payloadIn({ notifications: [notification] }: Message) {
  const { event, content } = notification!
  return payloadOf(event, content)
}
