/** Computes the status events of a parent after a correction of a child. Pure: times are milliseconds. */

export interface Course {
  /** The status before the first step. */
  first: string
  steps: { at: number; status: string }[]
}

type Worst = (statuses: string[]) => string

export const statusAt = ({ first, steps }: Course, at: number): string =>
  steps.findLast((step) => step.at <= at)?.status ?? first

export const inOrder = (times: number[]): number[] => [...new Set(times)].sort((a, b) => a - b)

interface Family {
  from: number
  to: number
  /** The statuses of the corrected child, before and after the correction. */
  was: Course
  is: Course
  /** The other children, and the impacts on the parent itself. */
  others: Course[]
  /** The time from which children do not affect the parent. */
  closed: number
}

/**
 * The statuses of a parent after a correction of a child; undefined if they do not change. The parent follows only where its
 * recorded status was computed from its children and its own impacts. A different recorded status comes from an override, a
 * correction or another position in the tree, and stays.
 */
export function parentCourse(recorded: Course, { from, to, was, is, others, closed }: Family, worst: Worst) {
  const times = [recorded, was, is, ...others].flatMap(({ steps }) => steps.map(({ at }) => at))
  const steps = inOrder([from, closed, ...times].filter((at) => from <= at && at < to)).map((at) => {
    const before = statusAt(recorded, at)
    const rest = others.map((one) => statusAt(one, at))
    const follows = at < closed && before === worst([statusAt(was, at), ...rest])
    return { at, before, status: follows ? worst([statusAt(is, at), ...rest]) : before }
  })
  if (steps.every(({ before, status }) => before === status)) return undefined
  return { first: recorded.first, steps: steps.map(({ at, status }) => ({ at, status })) }
}

export interface CorrectedEvent {
  id: number
  at: number
  status: string
  previous_status: string
  /** The event has the same cause as the corrected event. */
  sameCause: boolean
}

interface Rewriting {
  /** The recorded status before the events, and the events up to and including `to`. */
  first: string
  events: CorrectedEvent[]
  /** The wanted statuses, and the status from `to` on. */
  wanted: Course
  to: number
  end: string
  /** Whether an event at a wrong time moves; otherwise it is removed and another event is added. */
  moves: boolean
}

/**
 * Changes events so that they match the wanted statuses. An event with a worse status than wanted is removed, and so is an
 * event of the same cause with a wrong status or without effect. All other events stay; after an event with a milder status
 * a new event follows at the same time.
 */
export function correctedEvents({ first, events, wanted, to, end, moves }: Rewriting, worst: Worst) {
  const course = { first, steps: [...wanted.steps.filter(({ at }) => at < to), { at: to, status: end }] }
  const kept: CorrectedEvent[] = []
  const removed: CorrectedEvent[] = []
  const missing: Course['steps'] = []
  let [recorded, written, target] = [first, first, first]
  for (const at of inOrder([...events, ...course.steps].map((one) => one.at))) {
    const [recordedBefore, wantedBefore] = [recorded, target]
    const here = events.filter((event) => event.at === at)
    target = statusAt(course, at)
    recorded = here.at(-1)?.status ?? recorded
    if (recorded !== target || recordedBefore !== wantedBefore) {
      const isRight = ({ status, sameCause }: CorrectedEvent) =>
        worst([status, target]) === target &&
        (!sameCause || (status === target && (wantedBefore !== target || here.length > 1)))
      while (here.length > 0 && !isRight(here.at(-1)!)) removed.push(here.pop()!)
    }
    kept.push(...here)
    written = here.at(-1)?.status ?? written
    if (written !== target) missing.push({ at, status: target })
    written = target
  }
  const moved: CorrectedEvent[] = []
  const added = missing.filter(({ at, status }) => {
    // Events of one time are ordered by id, so that a moved event must not have a lower id than the event before it.
    const follows = (id: number) => kept.every((other) => other.at !== at || other.id < id)
    const index = moves ? removed.findIndex((one) => one.sameCause && one.status === status && follows(one.id)) : -1
    if (index >= 0) moved.push(...removed.splice(index, 1).map((event) => ({ ...event, at })))
    return index < 0
  })
  return { moved, removed, ...chained(first, [...kept, ...moved], added) }
}

/** The previous statuses of added events, and of existing events whose previous status changed. */
function chained(first: string, events: CorrectedEvent[], fresh: Course['steps']) {
  const all = [
    ...events,
    ...fresh.map((step) => ({ ...step, id: Number.POSITIVE_INFINITY, previous_status: undefined })),
  ].sort((a, b) => a.at - b.at || a.id - b.id)
  const linked = all.map((event, index) => ({ ...event, follows: all[index - 1]?.status ?? first }))
  return {
    added: linked
      .filter(({ previous_status }) => previous_status === undefined)
      .map(({ at, status, follows }) => ({ at, status, previous_status: follows })),
    followed: linked
      .filter(({ previous_status, follows }) => previous_status !== undefined && previous_status !== follows)
      .map(({ id, follows }) => ({ id, previous_status: follows })),
  }
}
