import { expect, test } from '@jest/globals'
import { statusSince } from '../../src/domain/pages/summary/since-rules.ts'

const order = ['operational', 'degraded', 'major_outage']
/** `degraded > operational: 5-8`: the newest events with these statuses are from 5 to 8. */
const changeOf = (line: string) => {
  const [previous_status = '', status = '', earliest, latest] = line.split(/ > |: |-/)
  return { previous_status, status, earliest: Number(earliest), latest: Number(latest) }
}

test.each([
  ['never another status', 'operational', [], [], [], null],
  [
    'the last item recovered',
    'operational',
    ['degraded > operational: 2-8', 'major_outage > operational: 3-5'],
    [],
    [],
    8,
  ],
  ['an incident without items ended last', 'operational', ['degraded > operational: 2-8'], [], [9], 9],
  ['the first of several items', 'degraded', ['operational > degraded: 4-8'], [], [], 4],
  ['an incident before its items', 'degraded', ['operational > degraded: 4-8'], [3], [], 3],
  ['an incident without items', 'major_outage', [], [3, 6], [], 3],
  [
    'a worse status ended later',
    'degraded',
    ['operational > degraded: 4-8', 'major_outage > operational: 6-6'],
    [],
    [],
    6,
  ],
  [
    'a worse status became this one',
    'degraded',
    ['operational > degraded: 4-4', 'major_outage > degraded: 6-7'],
    [],
    [],
    7,
  ],
  [
    'a worse status ended before',
    'degraded',
    ['operational > degraded: 4-8', 'major_outage > operational: 1-2'],
    [],
    [],
    4,
  ],
  [
    'milder statuses do not count',
    'major_outage',
    ['operational > major_outage: 4-4', 'degraded > operational: 6-6'],
    [],
    [],
    4,
  ],
] as [string, string, string[], number[], number[], number | null][])(
  '%s',
  (_name, status, lines, starts, ends, since) => {
    const severityOf = (key: string) => order.indexOf(key)
    expect(statusSince({ status, severityOf, changes: lines.map(changeOf), starts, ends })).toBe(since)
  },
)
