import { jsonInside } from '../../outbound/json-inside.ts'

/** Amazon SNS wraps the payload as text in an envelope of its own. */

interface Unwrapped {
  body: Record<string, unknown>
  confirmationUrl: string | null
}

/** A `Message` that is JSON is parsed in place. Other bodies stay as they are. */
export function unwrapEnvelope(body: Record<string, unknown>): Unwrapped {
  if (!['Type', 'MessageId', 'TopicArn', 'Message'].every((name) => typeof body[name] === 'string')) {
    return { body, confirmationUrl: null }
  }
  const message = jsonInside(body.Message as string)
  return { body: message === undefined ? body : { ...body, Message: message }, confirmationUrl: confirmationOf(body) }
}

const AMAZON = /^sns\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/

/** Any sender can put a link into an envelope; only a link to Amazon is worth following. */
function confirmationOf({ Type, SubscribeURL }: Record<string, unknown>): string | null {
  if (Type !== 'SubscriptionConfirmation' || typeof SubscribeURL !== 'string') return null
  const url = URL.parse(SubscribeURL)
  return url?.protocol === 'https:' && url.port === '' && url.username === '' && AMAZON.test(url.hostname)
    ? url.href
    : null
}
