import type { AttemptRow, DeliveryState } from '../../persistence/entities/delivery.ts'
import { oneSentence } from '../kernel/text-rules.ts'

/** What follows from an attempt, and why nothing is sent. Pure. */

interface Seen {
  result: 'sent' | 'later' | 'refused' | 'withheld'
  after_ms?: number
  reason?: string
}

export interface Next {
  state: DeliveryState
  reason: string | null
  next_attempt_at: Date | null
}

/** The state after an attempt. `tried` counts the attempts before this one. */
export function nextAfter(
  { result, after_ms = 0, reason }: Seen,
  tried: number,
  delays: readonly number[],
  now: Date,
): Next {
  if (result === 'sent') return { state: 'sent', reason: null, next_attempt_at: null }
  if (result === 'refused') return { state: 'failed', reason: 'refused', next_attempt_at: null }
  if (result === 'withheld') return { state: 'suppressed', reason: reason ?? 'withheld', next_attempt_at: null }
  const delay = delays[tried]
  if (delay === undefined) return { state: 'dead', reason: 'gave_up', next_attempt_at: null }
  return { state: 'retrying', reason: null, next_attempt_at: new Date(now.getTime() + Math.max(delay, after_ms)) }
}

interface Facts {
  subscriber_id: number | null
  subscriber_state: string | null
  wanted: boolean
  subject_deleted: boolean
  due_at: Date
}

/** Why a delivery is not to be sent any more: the subscriber may have changed since the notification was planned. */
export function withheldBecause(facts: Facts, key: string, now: Date, maxAgeMs: number): string | null {
  const { subscriber_id, subscriber_state: state, due_at } = facts
  if (now.getTime() - due_at.getTime() > maxAgeMs) return 'too_old'
  if (facts.subject_deleted) return 'subject_deleted'
  if (subscriber_id === null) return null
  if (state === null) return 'subscriber_deleted'
  if (state === 'suppressed' || state === 'disabled') return `subscriber_${state}`
  if (key === 'subscription.confirm') return state === 'active' ? 'already_confirmed' : null
  if (key.startsWith('subscription.')) return null
  if (state !== 'active') return `subscriber_${state}`
  return facts.wanted ? null : 'out_of_scope'
}

/** The most frequent answer by far, which names nothing. */
const STATUS_ALONE = /^HTTP \d{3}( [a-z' -]+)?$/i

/** Receivers repeat the address in their answers, also in parts, and an answer is stored longer than an address. */
export function withoutAddress(answer: string, address: string): string {
  if (STATUS_ALONE.test(answer)) return answer
  const texts = textsOf(address)
  if (texts.length === 0) return answer
  return answer.replace(new RegExp(texts.map((text) => RegExp.escape(text)).join('|'), 'gi'), '[recipient]')
}

/** Shorter parts of a URL are parts of too many words. */
const SHORTEST = { segment: 8, other: 4 }

/** What names the address in an answer: of a URL also its host, its path and what is long in them. Longest first. */
function textsOf(address: string): string[] {
  const url = URL.parse(address)
  if (!url) return address === '' ? [] : [address]
  const { href, pathname, search, host, hostname, searchParams } = url
  const segments = pathname.split('/').filter(({ length }) => length >= SHORTEST.segment)
  const written = search.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1))
  const parts = [pathname + search, pathname, search, host, hostname, ...searchParams.values(), ...written]
  const texts = [address, href, ...segments, ...parts.filter(({ length }) => length >= SHORTEST.other)]
  return [...new Set(texts)].sort((a, b) => b.length - a.length)
}

/** The fields of an attempt that admins read, in a bounded form. */
export function attemptRow(
  { status_code, smtp_code, answer }: Pick<AttemptRow, 'status_code' | 'smtp_code' | 'answer'>,
  at: Date,
  durationMs: number,
): AttemptRow {
  return {
    at: at.toISOString(),
    ...(status_code === undefined ? {} : { status_code }),
    ...(smtp_code === undefined ? {} : { smtp_code }),
    answer: oneSentence(answer),
    duration_ms: Math.round(durationMs),
  }
}
