import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Held, heldUpwards, type PastEvent, withPast } from '../../src/domain/hierarchy/history-rules.ts'

const order = ['up', 'slow', 'down']
const worst = (list: string[]) => list.reduce((a, b) => (order.indexOf(b) > order.indexOf(a) ? b : a), 'up')

type Step = [at: number, status: string]

/** `3 slow, 5 up`: at three it became slow. */
const stepsOf = (text: string): Step[] =>
  text ? text.split(', ').map((step) => [Number.parseInt(step, 10), step.split(' ')[1]!]) : []

/** `2-4 down`: from two until four; `2- down`: since two. */
const heldOf = (text: string): Held[] =>
  text.split(', ').map((one) => {
    const [, from, to, status] = /^(\d+)-(\d*) (\w+)$/.exec(one)!
    return { from: Number(from), to: to ? Number(to) : Number.POSITIVE_INFINITY, status: status! }
  })

/** Events of an item, each after the one before it. */
const eventsOf = (steps: Step[], first = 'up'): PastEvent[] =>
  steps.map(([at, status], index) => ({ id: index + 1, at, status, previous_status: steps[index - 1]?.[1] ?? first }))

/** The events as a list shows them afterwards: by time, and those of one time as they were written. */
function after(events: PastEvent[], held: Held[], first = 'up') {
  const { added, followed, last } = withPast(events, first, held, worst)
  const changed = events.map((event) => ({ ...event, ...followed.find(({ id }) => id === event.id) }))
  const fresh = added.map((event, index) => ({ ...event, id: 1000 + index }))
  return { all: [...changed, ...fresh].sort((a, b) => a.at - b.at || a.id - b.id), last, followed }
}

test.each([
  ['nothing was known', '', '2-4 down', '2 down, 4 up'],
  ['it still goes on', '', '2- down', '2 down'],
  ['it goes on, and one was known', '3 slow, 5 up', '2- down', '2 down, 3 slow, 3 down, 5 up, 5 down'],
  ['its status moved', '', '2-4 down, 4-6 slow', '2 down, 4 slow, 6 up'],
  ['the known lies before', '0 slow, 1 up', '2-4 down', '0 slow, 1 up, 2 down, 4 up'],
  ['the known lies behind', '6 slow, 7 up', '2-4 down', '2 down, 4 up, 6 slow, 7 up'],
  ['a milder one inside', '3 slow, 5 up', '2-6 down', '2 down, 3 slow, 3 down, 5 up, 5 down, 6 up'],
  ['a worse one inside', '3 down, 5 up', '2-6 slow', '2 slow, 3 down, 5 up, 5 slow, 6 up'],
  ['a worse one all around', '1 down, 8 up', '2-6 slow', '1 down, 8 up'],
  ['a milder one all around', '1 slow, 8 up', '2-6 down', '1 slow, 2 down, 6 slow, 8 up'],
  ['one that ended inside', '1 slow, 4 up', '2-6 down', '1 slow, 2 down, 4 up, 4 down, 6 up'],
  ['one that began inside', '4 slow, 8 up', '2-6 down', '2 down, 4 slow, 4 down, 6 slow, 8 up'],
  ['one that began where it ended', '4 down, 6 up', '2-4 down', '2 down, 4 down, 6 up'],
  ['one that ended where it began', '2 down, 4 up', '4-6 down', '2 down, 4 up, 4 down, 6 up'],
  ['the same time', '2 down, 4 up', '2-4 down', '2 down, 4 up'],
  ['down now, up then', '3 slow', '1-2 down', '1 down, 2 up, 3 slow'],
  ['down now, and worse for a time', '3 slow', '4-5 down', '3 slow, 4 down, 5 slow'],
  ['two at once', '3 slow, 3 up', '2-4 down', '2 down, 3 slow, 3 up, 3 down, 4 up'],
  ['no time at all', '3 slow', '4-4 down', '3 slow'],
])('%s', (_name, known, held, course) => {
  const { all } = after(eventsOf(stepsOf(known)), heldOf(held))
  expect(all.map(({ at, status }) => [at, status])).toEqual(stepsOf(course))
  const before = ['up', ...stepsOf(course).map(([, status]) => status)]
  expect(all.map((event) => event.previous_status)).toEqual(before.slice(0, -1))
})

test('what is not overlaid keeps what it followed', () => {
  const broken = [{ id: 1, at: 8, status: 'up', previous_status: 'slow' }]
  expect(after(broken, heldOf('2-4 down')).followed).toEqual([])
})

const hour = fc.integer({ min: 0, max: 12 })
const status = fc.constantFrom(...order)
const anySteps = fc.array(fc.tuple(hour, status), { maxLength: 6 }).map((list) => list.sort(([a], [b]) => a - b))
const stretch = fc.tuple(hour, hour, status).map(([from, length, status]) => ({ from, to: from + length, status }))
const anyHeld = fc.array(stretch, { minLength: 1, maxLength: 3 })

test('at each moment the worse of both; each event follows the one before it', () => {
  const agrees = fc.property(anySteps, anyHeld, status, (known, held, first) => {
    const events = eventsOf(known, first)
    const { all, last } = after(events, held, first)
    const at = (list: PastEvent[], time: number) => list.findLast((one) => one.at <= time)?.status ?? first
    for (let time = 0.5; time < 26; time += 1) {
      const holds = held.filter(({ from, to }) => from < time && time < to).map((one) => one.status)
      if (at(all, time) !== worst([at(events, time), ...holds])) return false
    }
    const follows = all.every((event, index) => event.previous_status === (all[index - 1]?.status ?? first))
    return follows && last === (all.at(-1)?.status ?? first)
  })
  fc.assert(agrees, { seed: 4, numRuns: 2000 })
})

test.each([
  ['up to the top', [3], {}, { 3: '2-6 down', 2: '2-6 down', 1: '2-6 down' }],
  ['no further than what was set by hand, once it was', [3], { 2: 4 }, { 3: '2-6 down', 2: '2-4 down', 1: '2-4 down' }],
  ['not past what was set by hand before', [3], { 3: 1 }, { 3: '', 2: '', 1: '' }],
  [
    'by another way',
    [3, 4],
    { 3: 4 },
    { 3: '2-4 down', 4: '2-6 down', 2: '2-4 down, 2-6 down', 1: '2-4 down, 2-6 down' },
  ],
])('a past impact reaches %s', (_what, itemIds, closed, expected) => {
  const parents = { 1: null, 2: 1, 3: 2, 4: 2 }
  const tree = new Map(Object.entries(parents).map(([id, parent_id]) => [Number(id), { parent_id }]))
  const closedFrom = new Map(Object.entries(closed).map(([id, at]) => [Number(id), at]))
  const reached = heldUpwards(tree, closedFrom, itemIds, heldOf('2-6 down'))
  const course = [...reached].map(([id, list]) => [
    id,
    list.map((one) => `${one.from}-${one.to} ${one.status}`).join(', '),
  ])
  expect(Object.fromEntries(course)).toEqual(expected)
})
