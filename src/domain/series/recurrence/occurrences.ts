import { type Effort, wallsOf } from './calendar.ts'
import { instantsOf } from './instants.ts'
import { readRule } from './rrule-text.ts'
import { namedPattern, type Rule, wallOf } from './rule.ts'
import { FARTHEST, wallAt, zoneOf } from './zone.ts'

export interface Occurrence {
  starts_at: Date
  ends_at: Date
}

export interface Window {
  /** Only occurrences that start at this moment or later, and before `until`. */
  from?: Date
  until?: Date
  limit: number
  effort?: Effort
}

const MINUTE = 60_000
/** The latest moment of this service, and the end of a rule without an end. */
export const HORIZON = Date.UTC(2200, 0)

/** Expects a rule without `problemsOf`. */
export function occurrences(rule: Rule, { from, until, limit, effort }: Window): Occurrence[] {
  const found: Occurrence[] = []
  if (limit < 1) return found
  for (const at of startsOf(rule, { from: from?.getTime(), until: until?.getTime(), effort })) {
    found.push({ starts_at: new Date(at), ends_at: new Date(at + rule.duration_minutes * MINUTE) })
    if (found.length === limit) break
  }
  return found
}

interface Stretch {
  from?: number | undefined
  until?: number | undefined
  effort?: Effort | undefined
}

/**
 * The starts of a series from `from` up to, not including, `until`. The cost depends on this stretch; only a rule with a count
 * is counted from its start.
 */
export function* startsOf(rule: Rule, { from = Number.NEGATIVE_INFINITY, until = HORIZON, effort }: Stretch = {}) {
  const { pattern, untilInstant, last, count } = readEnds(rule)
  const zone = zoneOf(rule.timezone)
  const start = wallOf(rule.start_date, rule.start_time)!
  const end = Math.min(until, HORIZON)
  const lastWall = Math.min(wallAt(end, zone) + FARTHEST, last)
  const begin = count === undefined && from > start ? wallAt(from, zone) - FARTHEST : start
  let left = count ?? Number.POSITIVE_INFINITY
  for (const at of instantsOf(wallsOf(pattern, start, { from: begin, to: lastWall + 1, effort }), zone)) {
    if (at >= end || at > untilInstant || left-- < 1) return
    if (at >= from) yield at
  }
}

/** The count of a rule that ends by a count, and not by a date before the horizon. */
export function countedIn(rule: Rule): number | undefined {
  const { untilInstant, last, count } = readEnds(rule)
  return Math.min(untilInstant, last) < HORIZON ? undefined : count
}

function readEnds(rule: Rule) {
  const read = rule.recurrence_type === 'rrule' ? readRule(rule.recurrence_rule!) : { pattern: namedPattern(rule) }
  if (typeof read === 'string') throw new RangeError(`The rule ${read}`)
  const { untilWall = Number.POSITIVE_INFINITY, untilInstant = Number.POSITIVE_INFINITY } = read
  const ever = Number.POSITIVE_INFINITY
  const count = Math.min(read.count ?? ever, rule.max_occurrences ?? ever)
  return {
    pattern: read.pattern,
    /** Counts instants, not wall times. */
    count: count === ever ? undefined : count,
    /** The last wall time at which it may start, and the last moment. */
    last: Math.min(untilWall, rule.ends_on ? wallOf(rule.ends_on, '23:59')! : ever),
    untilInstant: Math.min(untilInstant, rule.recurrence_end_time?.getTime() ?? ever),
  }
}
