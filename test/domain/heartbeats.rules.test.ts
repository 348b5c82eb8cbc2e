import { describe, expect, test } from '@jest/globals'
import type { ThresholdPolicies } from '../../src/domain/beats/definition/thresholds.ts'
import { readCall, withBody } from '../../src/domain/beats/heartbeats/call-rules.ts'
import { dueAfter, missed } from '../../src/domain/beats/heartbeats/due.ts'
import { stageOf } from '../../src/domain/beats/heartbeats/rules.ts'
import { hashOf, newToken } from '../../src/domain/beats/heartbeats/secret.ts'

const none: ThresholdPolicies = {}
const both: ThresholdPolicies = {
  warning_rule: { consecutive_failures: 2 },
  critical_rule: { consecutive_failures: 3, regions_failing: 2 },
  recovery_rule: { consecutive_successes: 2 },
}
const window: ThresholdPolicies = { warning_rule: { failures_in_window: { failures: 2, checks: 5 } } }
const slowOnly: ThresholdPolicies = { warning_rule: { latency_ms_over: 10 } }

describe('the stage', () => {
  test.each([
    [none, null, 0, 0, null],
    [none, null, 0, 1, 'healthy'],
    [none, null, 1, 0, 'critical'],
    [none, 'healthy', 1, 0, 'critical'],
    [none, 'critical', 0, 1, 'healthy'],
    [both, null, 1, 0, null],
    [both, 'healthy', 1, 0, 'healthy'],
    [both, 'healthy', 2, 0, 'warning'],
    [both, 'healthy', 3, 0, 'critical'],
    [both, 'healthy', 500_000, 0, 'critical'],
    [both, 'critical', 0, 1, 'critical'],
    [both, 'critical', 0, 2, 'healthy'],
    [window, 'healthy', 1, 0, 'healthy'],
    [window, 'healthy', 2, 0, 'warning'],
    // A rule that no call can meet leaves the stage to the default rule.
    [slowOnly, 'healthy', 1, 0, 'critical'],
  ] as const)('%j, %s, after %d failures or %d successes: %s', (policies, current, failures, successes, expected) => {
    expect(stageOf(policies, { failures, successes }, current)).toBe(expected)
  })
})

const at = (text: string) => new Date(`2026-${text}Z`)
const berlin = { cron: '30 2 * * *', timezone: 'Europe/Berlin', grace_seconds: 600 }

describe('the due moment', () => {
  test.each([
    [{ period_seconds: 30 }, '03-01T10:00:00.500', '03-01T10:00:30.500'],
    [{ period_seconds: 86_400, grace_seconds: 3600 }, '03-01T10:00:00', '03-02T11:00:00'],
    [{ cron: '0 2 * * *' }, '03-01T01:59:59.900', '03-01T02:00:00'],
    [{ cron: '0 2 * * *' }, '03-01T02:00:00', '03-02T02:00:00'],
    [{ cron: '0 2 * * *' }, '03-01T02:00:00.900', '03-02T02:00:00'],
    [berlin, '03-01T00:00:00', '03-01T01:40:00'],
    [berlin, '07-01T00:00:00', '07-01T00:40:00'],
    // The clocks go from 2:00 to 3:00 on the 29th: the moment at half past two is at three, as in cron.
    [berlin, '03-29T00:00:00', '03-29T01:10:00'],
    // The clocks go from 3:00 to 2:00 on the 25th: the moment at half past two comes once.
    [berlin, '10-25T00:00:00', '10-25T00:40:00'],
    [berlin, '10-25T00:40:00', '10-26T01:40:00'],
    [{ cron: '@monthly' }, '03-29T00:00:00', '04-01T00:00:00'],
  ])('%j after %s: %s', (schedule, last, expected) => {
    expect(dueAfter(schedule, at(last))).toEqual(at(expected))
  })
})

describe('the missed calls', () => {
  const minutes = { period_seconds: 60, grace_seconds: 5 }
  test.each([
    [minutes, '03-01T10:00:05', '03-01T10:00:04.999', 0, '03-01T10:00:05'],
    [minutes, '03-01T10:00:05', '03-01T10:00:05', 1, '03-01T10:01:05'],
    [minutes, '03-01T10:00:05', '03-01T10:01:05', 2, '03-01T10:02:05'],
    [minutes, '03-01T10:00:05', '03-01T10:09:59', 10, '03-01T10:10:05'],
    [{ period_seconds: 1 }, '03-01T10:00:00', '04-01T10:00:00', 2_678_401, '04-01T10:00:01'],
    [berlin, '03-01T01:40:00', '03-01T01:39:00', 0, '03-01T01:40:00'],
    [berlin, '03-01T01:40:00', '03-03T01:40:00', 3, '03-04T01:40:00'],
    // Rules count at most a hundred; the next due moment is still right.
    [{ cron: '* * * * *' }, '03-01T10:00:00', '04-01T10:00:00', 100, '04-01T10:01:00'],
  ])('%j, due %s, at %s: %d, then %s', (schedule, due, now, count, next) => {
    expect(missed(schedule, at(due), at(now))).toEqual({ count, next: at(next) })
  })
})

test.each([
  [undefined, 'success', 'success'],
  ['start', 'start', 'start'],
  ['fail', 'fail', 'fail'],
  ['0', 'success', 'exit 0'],
  ['000', 'success', 'exit 0'],
  ['1', 'fail', 'exit 1'],
  ['255', 'fail', 'exit 255'],
])('a call with the suffix %s is a %s', (suffix, kind, name) => {
  expect(readCall(suffix)).toMatchObject({ kind, name })
})

test.each(['256', '-1', '1.0', 'success', '', '0x1', '٣'])('the suffix %j is not a call', (behind) => {
  expect(readCall(behind)).toBeUndefined()
})

test('the evidence has the beginning of a readable body on one line', () => {
  const fail = readCall('fail')!
  const { evidence } = fail
  expect(withBody(fail, ' disk\n\tfull \r\n').evidence).toBe('A call reported a failed run: disk full')
  expect(withBody(fail, ' \n').evidence).toBe(evidence)
  expect(withBody(fail, 'a\u0000b').evidence).toBe(evidence)
  expect(withBody(fail, 'a\ufffdb').evidence).toBe(evidence)
  expect(withBody(fail, '😀'.repeat(1000)).evidence).toBe(`A call reported a failed run: ${'😀'.repeat(300)}…`)
})

test.each([
  ['colours', '\u001b[31;1mdisk\u001b[0m full', 'disk full'],
  ['a title of a window', '\u001b]0;backup\u0007disk full', 'disk full'],
  ['a link', '\u001b]8;;https://a.example\u001b\\disk\u001b]8;;\u001b\\ full', 'disk full'],
  [
    'a bell and a byte of another charset',
    'disk full: gr\ufffd\ufffdn is what it was, not more\u0007',
    'disk full: gr\ufffd\ufffdn is what it was, not more',
  ],
  ['colours alone', '\u001b[31m\u001b[0m', ''],
  ['a picture', '\ufffdPNG\r\n\u001a\n\u0000\u0000\u0000\rIHDR', ''],
])('the evidence leaves out unreadable characters: %s', (_what, sent, shown) => {
  const fail = readCall('fail')!
  expect(withBody(fail, sent).evidence).toBe(shown === '' ? fail.evidence : `A call reported a failed run: ${shown}`)
})

test('only texts in the form of a token have a hash', () => {
  const token = newToken()
  expect(hashOf(token)).toMatch(/^[\w-]{43}$/)
  expect(hashOf(token)).not.toBe(hashOf(newToken()))
  for (const other of ['', 'uph_', token.slice(1), `${token}0`, token.toUpperCase(), `upb_${token.slice(4)}`]) {
    expect(hashOf(other)).toBeUndefined()
  }
})
