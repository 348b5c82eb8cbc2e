/** What becomes of the events of an item when those of another are corrected. Pure: instants are milliseconds. */

export interface Course {
  /** What it was before the first step. */
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
  /** The child whose past was corrected, before and after. */
  was: Course
  is: Course
  /** The other children, and what held the parent itself. */
  others: Course[]
  /** From when on nothing reaches the parent. */
  closed: number
}

/**
 * What a parent was, now that one of its children was something else; nothing if that is what it was before. Only where
 * the parent was what its children and its own impacts made of it does it follow them: where it was something else it
 * was set by hand, corrected, or stood elsewhere in the tree, and what is told of it stays.
 */
export function parentCourse(told: Course, { from, to, was, is, others, closed }: Family, worst: Worst) {
  const times = [told, was, is, ...others].flatMap(({ steps }) => steps.map(({ at }) => at))
  const steps = inOrder([from, closed, ...times].filter((at) => from <= at && at < to)).map((at) => {
    const before = statusAt(told, at)
    const rest = others.map((one) => statusAt(one, at))
    const follows = at < closed && before === worst([statusAt(was, at), ...rest])
    return { at, before, status: follows ? worst([statusAt(is, at), ...rest]) : before }
  })
  if (steps.every(({ before, status }) => before === status)) return undefined
  return { first: told.first, steps: steps.map(({ at, status }) => ({ at, status })) }
}

export interface CorrectedEvent {
  id: number
  at: number
  status: string
  previous_status: string
  /** It says what the corrected event says: of the same cause. */
  along: boolean
}

interface Retelling {
  /** What is told of the item until `to`, and its events of that time with those at `to`. */
  first: string
  events: CorrectedEvent[]
  /** What it was, and what it is from `to` on. */
  wanted: Course
  to: number
  end: string
  /** Whether an event that is told of the wrong time moves; else it goes, and another comes. */
  moves: boolean
}

/**
 * Brings events in line with what an item was. Those that say worse than the truth go, and those of the same cause that
 * say anything but the truth or nothing new; all others stay, and where they say less, another follows at the same time.
 */
export function correctedEvents({ first, events, wanted, to, end, moves }: Retelling, worst: Worst) {
  const course = { first, steps: [...wanted.steps.filter(({ at }) => at < to), { at: to, status: end }] }
  const kept: CorrectedEvent[] = []
  const spent: CorrectedEvent[] = []
  const missing: Course['steps'] = []
  let [knew, told, wants] = [first, first, first]
  for (const at of inOrder([...events, ...course.steps].map((one) => one.at))) {
    const [known, before] = [knew, wants]
    const here = events.filter((event) => event.at === at)
    wants = statusAt(course, at)
    knew = here.at(-1)?.status ?? knew
    if (knew !== wants || known !== before) {
      const tells = ({ status, along }: CorrectedEvent) =>
        worst([status, wants]) === wants && (!along || (status === wants && (before !== wants || here.length > 1)))
      while (here.length > 0 && !tells(here.at(-1)!)) spent.push(here.pop()!)
    }
    kept.push(...here)
    told = here.at(-1)?.status ?? told
    if (told !== wants) missing.push({ at, status: wants })
    told = wants
  }
  const moved: CorrectedEvent[] = []
  const added = missing.filter(({ at, status }) => {
    // Events of one time are read in the order of their ids, so that a moved one must not come before what it follows.
    const follows = (id: number) => kept.every((other) => other.at !== at || other.id < id)
    const index = moves ? spent.findIndex((one) => one.along && one.status === status && follows(one.id)) : -1
    if (index >= 0) moved.push(...spent.splice(index, 1).map((event) => ({ ...event, at })))
    return index < 0
  })
  return { moved, removed: spent, ...chained(first, [...kept, ...moved], added) }
}

/** What each event follows: of those that are new, and of those that followed another one. */
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
