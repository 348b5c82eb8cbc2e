import { calendarOf } from './calendar.ts'
import { instantsOf, LONGEST_GAP } from './instants.ts'
import { readRule } from './rrule-text.ts'
import { namedPattern, type Rule, wallOf } from './rule.ts'
import { wallAt } from './zone.ts'

export interface Occurrence {
  /** From 1, counted from the first of the series, whatever was asked for. */
  index: number
  starts_at: Date
  ends_at: Date
}

export interface Window {
  /** Only those with a higher index. */
  after?: number
  /** Only those that start at this moment or later, and before `until`. */
  from?: Date
  until: Date
  limit: number
}

const MINUTE = 60_000
/** There must be an end to counting: fifty years, whose days are fewer than this, are farther than zones are known. */
const LONGEST_SERIES = 50 * 366 * 24 * 60 * MINUTE
export const MOST_OCCURRENCES = 20_000

/** The rule must be one in which `problemsOf` finds nothing. */
export function occurrences(rule: Rule, { after = 0, from, until, limit }: Window): Occurrence[] {
  const found: Occurrence[] = []
  let index = 0
  if (limit < 1) return found
  for (const at of startsOf(rule, until.getTime())) {
    index++
    if (index <= after || (from && at < from.getTime())) continue
    found.push({ index, starts_at: new Date(at), ends_at: new Date(at + rule.duration_minutes * MINUTE) })
    if (found.length === limit) break
  }
  return found
}

/** The moments before `until` at which it starts. What ends a series counts the moments, not the times on the wall. */
export function* startsOf(rule: Rule, until: number): Generator<number> {
  const read = rule.recurrence_type === 'rrule' ? readRule(rule.recurrence_rule!) : { pattern: namedPattern(rule) }
  if (typeof read === 'string') throw new RangeError(`The rule ${read}`)
  const start = wallOf(rule.start_date, rule.start_time)!
  const last = Math.min(
    start + LONGEST_SERIES,
    wallAt(until, rule.timezone) + LONGEST_GAP,
    read.untilWall ?? Number.POSITIVE_INFINITY,
    rule.ends_on ? wallOf(rule.ends_on, '23:59')! : Number.POSITIVE_INFINITY,
  )
  const { count = MOST_OCCURRENCES, untilInstant = Number.POSITIVE_INFINITY } = read
  let left = Math.min(count, rule.max_occurrences ?? MOST_OCCURRENCES, MOST_OCCURRENCES)
  for (const at of instantsOf(calendarOf(read.pattern, start), start, last, rule.timezone)) {
    if (at >= until || at > untilInstant || left-- < 1) return
    yield at
  }
}
