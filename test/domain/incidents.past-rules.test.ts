import { describe, expect, test } from '@jest/globals'
import { impactStretches, newStretches, startProblem } from '../../src/domain/hierarchy/history-backfill-rules.ts'

const at = (seconds: number) => new Date(seconds)
const times = (from: number, to?: number) => ({ start_time: at(from), end_time: to === undefined ? null : at(to) })
const NOW = 100
const ON = Number.POSITIVE_INFINITY

test.each([
  ['a past one', undefined, times(10, 20), [[10, 20]]],
  ['one that goes on', undefined, times(10), [[10, ON]]],
  ['one from now on', undefined, times(NOW), []],
  ['one that is still to come', undefined, times(105), []],
  ['one that ends in a moment', undefined, times(90, 105), [[90, NOW]]],
  ['an earlier start', times(20), times(10), [[10, 20]]],
  ['a later start', times(10), times(20), []],
  ['an end', times(10), times(10, 20), []],
  ['an earlier start and an end before the one known', times(30), times(10, 20), [[10, 20]]],
  ['a later end', times(10, 20), times(10, 30), [[20, 30]]],
  [
    'both',
    times(10, 20),
    times(5, 30),
    [
      [5, 10],
      [20, 30],
    ],
  ],
])('the new stretches of %s', (_what, known, added, expected) => {
  expect(newStretches(known, added, at(NOW)).map(({ from, to }) => [from, to])).toEqual(expected)
})

const order = ['slow', 'down', 'gone']
const milder = (one: string, other: string) => (order.indexOf(one) < order.indexOf(other) ? one : other)
/** `20 down` says down at twenty; `20 down slow` found it slow. */
function timelineOf(initial: string, text: string) {
  let last = initial
  return (text ? text.split(', ') : []).map((entry) => {
    const [time, status = '', found] = entry.split(' ')
    const previous_status = found ?? last
    last = status
    return { created_at: at(Number(time)), status, previous_status }
  })
}

test.each([
  ['nothing was said', '', 'down', '10-40 down'],
  ['it got worse', '20 gone', 'gone', '10-20 down, 20-40 gone'],
  ['a note', '20 down', 'down', '10-20 down, 20-40 down'],
  ['it was said before', '5 gone', 'gone', '10-40 gone'],
  ['it was said after', '50 gone', 'gone', '10-40 down'],
  ['it was resolved meanwhile', '20 resolved', 'resolved', '10-20 down, 20-40 down'],
  ['and reopened', '20 resolved, 30 gone', 'gone', '10-20 down, 20-30 down, 30-40 gone'],
  ['a resolution that was reported late', '30 gone, 15 resolved', 'resolved', '10-30 down, 30-40 gone'],
  ['a change without a word made it milder', '', 'slow', '10-40 slow'],
  ['a change without a word made it worse', '', 'gone', '10-40 down'],
  ['a change without a word before an entry', '20 gone slow', 'gone', '10-20 slow, 20-40 gone'],
])('the statuses that an impact followed: %s', (_what, timeline, current, expected) => {
  const statuses = { initial: 'down', current, timeline: timelineOf('down', timeline) }
  const held = impactStretches({ from: 10, to: 40 }, null, statuses, milder)
  expect(held.map(({ from, to, status }) => `${from}-${to} ${status}`).join(', ')).toBe(expected)
})

test('an impact with a status of its own follows nothing', () => {
  const statuses = { initial: 'down', current: 'gone', timeline: timelineOf('down', '20 gone') }
  expect(impactStretches({ from: 10, to: 40 }, 'slow', statuses, milder)).toEqual([
    { from: 10, to: 40, status: 'slow' },
  ])
})

describe('an incident', () => {
  const course = { started_at: at(10), acknowledged_at: null, resolved_at: null, first_entry_at: undefined }
  const MINUTES = 60_000
  test.each([
    ['earlier', 5, {}, undefined],
    ['then, though it was acknowledged before', 10, { acknowledged_at: at(5) }, undefined],
    ['later', 20, {}, undefined],
    ['when it was acknowledged', 20, { acknowledged_at: at(20) }, undefined],
    ['after that', 21, { acknowledged_at: at(20) }, 'acknowledgement'],
    ['after the first entry', 21, { first_entry_at: at(20) }, 'first entry'],
    ['after the resolution', 21, { resolved_at: at(20) }, 'resolution'],
    ['in the future', NOW + 6 * MINUTES, {}, 'future'],
  ])('may or may not have begun %s', (_when, start, more, problem) => {
    const said = startProblem(at(start), { ...course, ...more }, at(NOW))
    expect(problem === undefined ? said === undefined : said?.includes(problem)).toBe(true)
  })
})
