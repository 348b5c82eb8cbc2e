import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import {
  type CorrectedEvent,
  type Course,
  correctedEvents,
  parentCourse,
  statusAt,
} from '../../src/domain/hierarchy/propagate-correction-rules.ts'

const order = ['up', 'slow', 'down']
const worst = (list: string[]) => list.reduce((a, b) => (order.indexOf(b) > order.indexOf(a) ? b : a), 'up')

/** `3 slow, 5 up`: at three it became slow. */
const courseOf = (text: string, first = 'up'): Course => ({
  first,
  steps: text
    ? text.split(', ').map((step) => ({ at: Number.parseInt(step, 10), status: step.split(' ')[1]!.replace('*', '') }))
    : [],
})

/** Events of an item; those with a star are not of the cause of the corrected one. */
const eventsOf = (text: string): CorrectedEvent[] =>
  courseOf(text).steps.map((step, index, all) => ({
    ...{ ...step, id: index + 1, previous_status: all[index - 1]?.status ?? 'up' },
    sameCause: !text.split(', ')[index]!.endsWith('*'),
  }))

interface Result {
  all: { id: number; at: number; status: string; previous_status: string }[]
}

function after(events: CorrectedEvent[], wanted: Course, to: number, moves: boolean, first = 'up'): Result {
  const end = statusAt({ first, steps: events }, to)
  const { moved, removed, added, followed } = correctedEvents({ first, events, wanted, to, end, moves }, worst)
  const gone = new Set([...moved, ...removed].map(({ id }) => id))
  const left = [...events.filter(({ id }) => !gone.has(id)), ...moved].map((event) => ({
    ...event,
    ...followed.find(({ id }) => id === event.id),
  }))
  const fresh = added.map((event, index) => ({ ...event, id: 1000 + index }))
  return { all: [...left, ...fresh].sort((a, b) => a.at - b.at || a.id - b.id) }
}

test.each([
  ['a later start', '0 down', '2 down', 4, '2 down'],
  ['an earlier start', '4 down', '2 down', 4, '2 down'],
  ['an earlier end', '0 down, 6 up', '0 down, 3 up', 6, '0 down, 3 up'],
  ['an earlier end, behind which another shows', '0 down, 6 slow', '0 down, 3 up, 4 slow', 6, '0 down, 3 up, 4 slow'],
  ['a later end over what another says', '0 down, 2 slow*, 3 up', '0 down', 5, '0 down, 2 slow, 2 down, 5 up'],
  ['another one in the meantime', '0 down', '1 slow, 2 up', 4, '1 slow, 2 up, 4 down'],
  ['nothing left', '1 down, 3 up', '', 4, ''],
  ['another one says worse than the truth', '1 down*, 3 up*', '', 4, '3 up'],
])('%s', (_name, known, wanted, to, course) => {
  const { all } = after(eventsOf(known), courseOf(wanted), to, true)
  expect(all.map(({ at, status }) => `${at} ${status}`).join(', ')).toBe(course)
})

const hour = fc.integer({ min: 0, max: 8 })
const status = fc.constantFrom(...order)
const anyCourse = fc
  .array(fc.tuple(hour, status), { maxLength: 5 })
  .map((list) => list.sort(([a], [b]) => a - b).map(([at, status]) => ({ at, status })))

test('corrected events have the wanted statuses, and each event follows the previous event', () => {
  const agrees = fc.property(
    anyCourse,
    anyCourse,
    fc.boolean(),
    fc.boolean(),
    status,
    (known, steps, own, moves, first) => {
      const events = known.map((step, index) => ({
        ...{ ...step, id: index + 1, previous_status: known[index - 1]?.status ?? first },
        sameCause: own || index % 2 === 0,
      }))
      const wanted = { first, steps }
      const end = statusAt({ first, steps: known }, 8)
      const { all } = after(events, wanted, 8, moves, first)
      for (let time = 0; time < 10; time += 1) {
        if (statusAt({ first, steps: all }, time) !== (time < 8 ? statusAt(wanted, time) : end)) return false
      }
      return all.every((event, index) => event.previous_status === (all[index - 1]?.status ?? first))
    },
  )
  fc.assert(agrees, { seed: 4, numRuns: 5000 })
})

test('a parent that was the worst of its children is that afterwards', () => {
  const course = fc.tuple(status, anyCourse).map(([first, steps]) => ({ first, steps }))
  const agrees = fc.property(course, course, course, course, (was, is, one, two) => {
    const above = (child: Course, at: number) => worst([child, one, two].map((each) => statusAt(each, at)))
    const steps = Array.from({ length: 9 }, (_, at) => ({ at, status: above(was, at) }))
    const course = { first: steps[0]!.status, steps }
    const family = { from: 0, to: 9, was, is, others: [one, two], closed: Number.POSITIVE_INFINITY }
    const wanted = parentCourse(course, family, worst) ?? course
    return steps.every(({ at }) => statusAt(wanted, at) === above(is, at))
  })
  fc.assert(agrees, { seed: 4, numRuns: 2000 })
})

test.each([
  ['was something else than what is below it', '0 slow, 6 up', 9, '0 slow, 6 up'],
  ['was set by hand', '0 down, 6 up', 3, '0 up, 3 down, 6 up'],
])('a parent stays what it %s', (_what, course, closed, expected) => {
  const [was, is] = [courseOf('0 down, 6 up'), courseOf('')]
  const wanted =
    parentCourse(courseOf(course), { from: 0, to: 8, was, is, others: [], closed }, worst) ?? courseOf(course)
  expect(wanted.steps.map(({ at, status }) => `${at} ${status}`).join(', ')).toBe(expected)
})
