import { expect, test } from '@jest/globals'
import { isPublicEvent } from '../../src/domain/deliveries/audience-rules.ts'
import { attemptRow, nextAfter, withheldBecause, withoutAddress } from '../../src/domain/deliveries/rules.ts'
import { nextDigestAt } from '../../src/domain/subscribers/digest-time.ts'

const now = new Date('2027-03-01T10:00:00Z')
const HOUR = 3_600_000

test.each([
  ['sent', { result: 'sent' }, 0, 'sent', null, null],
  ['refused for good', { result: 'refused' }, 0, 'failed', 'refused', null],
  [
    'withheld',
    { result: 'withheld', reason: 'email_delivery_mode_log' },
    0,
    'suppressed',
    'email_delivery_mode_log',
    null,
  ],
  ['failed once', { result: 'later' }, 0, 'retrying', null, 5000],
  ['failed twice', { result: 'later' }, 1, 'retrying', null, 60_000],
  ['asked to wait longer', { result: 'later', after_ms: 9000 }, 0, 'retrying', null, 9000],
  ['asked to wait shorter', { result: 'later', after_ms: 10 }, 0, 'retrying', null, 5000],
  ['failed for the last time', { result: 'later' }, 2, 'dead', 'gave_up', null],
] as const)('an attempt that %s', (_name, seen, tried, state, reason, wait) => {
  expect(nextAfter(seen, tried, [5000, 60_000], now)).toEqual({
    ...{ state, reason },
    next_attempt_at: wait === null ? null : new Date(now.getTime() + wait),
  })
})

const subscriber = { subscriber_id: 7, subscriber_state: 'active', wanted: true, subject_deleted: false, due_at: now }
test.each([
  ['an active subscriber', {}, 'incident.created', null],
  [
    'a recipient without a subscription',
    { subscriber_id: null, subscriber_state: null },
    'incident.long_running',
    null,
  ],
  ['a deleted subscriber', { subscriber_state: null }, 'incident.created', 'subscriber_deleted'],
  ['a suppressed subscriber', { subscriber_state: 'suppressed' }, 'incident.created', 'subscriber_suppressed'],
  ['an unsubscribed subscriber', { subscriber_state: 'unsubscribed' }, 'incident.created', 'subscriber_unsubscribed'],
  ['a disabled webhook', { subscriber_state: 'disabled' }, 'incident.created', 'subscriber_disabled'],
  ['an incident that was deleted', { subject_deleted: true }, 'incident.created', 'subject_deleted'],
  ['a changed scope', { wanted: false }, 'incident.created', 'out_of_scope'],
  [
    'an attempt that is overdue for too long',
    { due_at: new Date(now.getTime() - 25 * HOUR) },
    'incident.created',
    'too_old',
  ],
  ['a confirmation', { subscriber_state: 'pending', wanted: false }, 'subscription.confirm', null],
  ['a confirmation of a confirmed address', {}, 'subscription.confirm', 'already_confirmed'],
  [
    'a confirmation to a suppressed address',
    { subscriber_state: 'suppressed' },
    'subscription.confirm',
    'subscriber_suppressed',
  ],
  ['a link to the preferences', { wanted: false }, 'subscription.manage', null],
] as const)('%s', (_name, facts, key, reason) => {
  expect(withheldBecause({ ...subscriber, ...facts }, key, now, 24 * HOUR)).toBe(reason)
})

test.each([
  ['before nine', '2027-03-01T07:59:00Z', 'Europe/Berlin', '2027-03-01T08:00:00Z'],
  ['at nine', '2027-03-01T08:00:00Z', 'Europe/Berlin', '2027-03-02T08:00:00Z'],
  ['over the start of summer time', '2027-03-27T08:30:00Z', 'Europe/Berlin', '2027-03-28T07:00:00Z'],
  ['in a zone where the date is another', '2027-03-01T23:30:00Z', 'Asia/Tokyo', '2027-03-02T00:00:00Z'],
  ['in a zone behind UTC', '2027-03-01T01:00:00Z', 'America/Los_Angeles', '2027-03-01T17:00:00Z'],
])('the daily mail is due at nine: %s', (_name, from, zone, at) => {
  expect(nextDigestAt(new Date(from), zone)).toEqual(new Date(at))
})

test.each([
  ['incident.created', {}, true],
  ['incident.reminder', {}, false],
  ['maintenance.reminder', { reminder: 'before_start' }, true],
  ['maintenance.reminder', { reminder: 'before_end' }, false],
  ['maintenance.overrun', { reminder: 'after_end' }, false],
  ['beat.stage_changed', {}, false],
])('%s %j is public: %s', (key, data, isPublic) => {
  expect(isPublicEvent({ key, data })).toBe(isPublic)
})

test.each([
  ['550 5.1.1 <Ada@Example.com>: no', 'ada@example.com', '550 5.1.1 <[recipient]>: no'],
  ['ada@example.com is not ada@example.com', 'ada@example.com', '[recipient] is not [recipient]'],
  ['451 later', 'ada@example.com', '451 later'],
  ['451 later', '', '451 later'],
  ['no route /in/SeCrEtToken1?k=topsecret', 'https://a.example/in/SeCrEtToken1?k=topsecret', 'no route [recipient]'],
  ['no hook secrettoken1', 'https://a.example/in/SeCrEtToken1', 'no hook [recipient]'],
  ['İİİ SECRETTOKEN1', 'https://a.example/in/SeCrEtToken1', 'İİİ [recipient]'],
  ['no key YWJj%3D', 'https://a.example/in?k=YWJj%3D', 'no key [recipient]'],
  ['no key YWJj=', 'https://a.example/in?k=YWJj%3D', 'no key [recipient]'],
  ['no recipient', 'https://a.example/in?a=recipient&b=cipient', 'no [recipient]'],
  ['topsecret is unknown', 'https://a.example/in?k=topsecret', '[recipient] is unknown'],
  ['A.example:8443 took 15 s', 'https://a.example:8443/in', '[recipient] took 15 s'],
  ['the name a.example does not exist', 'https://a.example:8443/', 'the name [recipient] does not exist'],
  ['HTTP 404 Not Found: /', 'https://a.example/', 'HTTP 404 Not Found: /'],
  ['in time', 'https://a.example/in', 'in time'],
])('the answer "%s" names no address', (answer, address, stored) => {
  expect(withoutAddress(answer, address)).toBe(stored)
})

test('a stored answer is one bounded line, without half of a character at its end', () => {
  const { answer } = attemptRow({ answer: `first\nsecond ${'x'.repeat(285)}😀😀😀` }, now, 12.6)
  expect(answer).toMatch(/^first second x+/)
  expect(answer.length).toBeLessThanOrEqual(300)
  expect(answer.isWellFormed()).toBe(true)
})
