import { describe, expect, test } from '@jest/globals'
import { answerLine, outcomeOf, waitIn } from '../../../src/domain/notifications/channels/webhook/outcome-rules.ts'

const secret = 'whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH'
const recipient = { address: 'https://hooks.example.com/in?token=verysecret&team=ops', secrets: [secret] }
const now = new Date('2026-11-23T10:00:00Z')
const answer = (status: number, retry_after?: string, body = '') => ({ status, retry_after, body })

test.each<[number, string | undefined, object]>([
  [200, undefined, { result: 'sent', answer: 'HTTP 200 OK' }],
  [204, undefined, { result: 'sent', answer: 'HTTP 204 No Content' }],
  [101, undefined, { result: 'later', answer: 'HTTP 101 Switching Protocols' }],
  [301, undefined, { result: 'later', answer: 'HTTP 301 Moved Permanently' }],
  [400, undefined, { result: 'later', answer: 'HTTP 400 Bad Request' }],
  [410, undefined, { result: 'refused', subscriber: 'disabled', answer: 'HTTP 410 Gone' }],
  [429, '30', { result: 'later', after_ms: 30_000, answer: 'HTTP 429 Too Many Requests' }],
  [429, undefined, { result: 'later', answer: 'HTTP 429 Too Many Requests' }],
  [500, '30', { result: 'later', answer: 'HTTP 500 Internal Server Error' }],
  [503, '90', { result: 'later', after_ms: 90_000, answer: 'HTTP 503 Service Unavailable' }],
  [599, undefined, { result: 'later', answer: 'HTTP 599' }],
])('status %d with Retry-After %s', (status, retryAfter, expected) => {
  expect(outcomeOf(answer(status, retryAfter), recipient, now)).toEqual({ status_code: status, ...expected })
})

test.each<[string, number | undefined]>([
  ['5', 5000],
  [' 5 ', 5000],
  ['0', undefined],
  ['-1', undefined],
  ['soon', undefined],
  ['', undefined],
  ['1.5', undefined],
  ['999999999', 24 * 60 * 60 * 1000],
  ['9999999999999999999999', undefined],
  ['Mon, 23 Nov 2026 10:01:00 GMT', 60_000],
  ['Mon, 23 Nov 2026 09:59:00 GMT', undefined],
  ['Fri, 31 Dec 9999 23:59:59 GMT', 24 * 60 * 60 * 1000],
  ['Monday, 23-Nov-26 10:01:00 GMT', 60_000],
  ['2026-11-23T10:01:00Z', undefined],
])('Retry-After %j is a wait of %s ms', (header, wait) => {
  expect(waitIn(header, now)).toBe(wait)
})

describe('the answer of a receiver', () => {
  test('is one line', () => {
    expect(outcomeOf(answer(500, undefined, 'no\r\n\u202espace\u0000 left\u2028'), recipient, now).answer).toBe(
      'HTTP 500 Internal Server Error: no space left',
    )
  })

  test('is bounded', () => {
    expect(answerLine('x'.repeat(5000), recipient)).toHaveLength(300)
  })

  test('names no part of the address where the line is cut', () => {
    const { answer: line } = outcomeOf(
      answer(404, undefined, `${'x'.repeat(270)} ${recipient.address}`),
      recipient,
      now,
    )
    expect(line).not.toContain('https')
  })

  test.each([secret, secret.slice(6), 'verysecret', 'Bearer abcdefgh1234567890'])('does not repeat %s', (text) => {
    const { answer: line } = outcomeOf(answer(500, undefined, `I got ${text} from you`), recipient, now)
    expect(line).not.toContain(text)
    expect(line).toMatch(/I got .* from you/)
  })
})
