import { STATUS_CODES } from 'node:http'
import { redactText } from '../../../../outbound/redaction-rules.ts'
import { secretsOf, withoutSecrets } from '../../../../outbound/secret-rules.ts'
import { withoutAddress } from '../../../deliveries/rules.ts'
import { oneSentence } from '../../../kernel/text-rules.ts'
import type { Outcome, Recipient } from '../channel.ts'
import { keyIn } from './signature-rules.ts'

export interface Answer {
  status: number
  retry_after: string | undefined
  /** The beginning of the body. */
  body: string
}

const DAY_MS = 24 * 60 * 60 * 1000

/** What the answer of a receiver means for the delivery. A redirect is a failure: its host was not verified by an admin. */
export function outcomeOf(answer: Answer, recipient: Pick<Recipient, 'address' | 'secrets'>, now: Date): Outcome {
  const { status, retry_after, body } = answer
  const phrase = STATUS_CODES[status]
  const words = `HTTP ${status}${phrase ? ` ${phrase}` : ''}`
  const isSilent = body.trim() === ''
  // Masked before the line is cut, which could leave the beginning of an address at the end.
  const line = () => answerLine(`${words}: ${withoutAddress(body, recipient.address)}`, recipient)
  const seen = { status_code: status, answer: isSilent ? words : line() }
  if (status >= 200 && status < 300) return { ...seen, result: 'sent' }
  if (status === 410) return { ...seen, result: 'refused', subscriber: 'disabled' }
  const after_ms = status === 429 || status === 503 ? waitIn(retry_after, now) : undefined
  return { ...seen, result: 'later', ...(after_ms === undefined ? {} : { after_ms }) }
}

/** The wait that `Retry-After` asks for in seconds or as a date, at most a day. */
export function waitIn(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  const text = header.trim()
  const wait = /^\d{1,15}$/.test(text) ? Number(text) * 1000 : dateIn(text) - now.getTime()
  return wait > 0 ? Math.min(wait, DAY_MS) : undefined
}

/** Only dates of HTTP, which begin with the day of the week: `Date.parse` reads `-1` as a date, too. */
const dateIn = (text: string): number => (/^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN)

/** One bounded line without secrets: receivers repeat requests in their answers. */
export function answerLine(text: string, { address, secrets }: Pick<Recipient, 'address' | 'secrets'>): string {
  const own = [...secrets.flatMap((secret) => [secret, keyIn(secret)]), ...secretsOf({ url: address })]
  return oneSentence(redactText(withoutSecrets(text, own)))
}
