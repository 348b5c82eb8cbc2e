import { RRuleTemporal } from 'rrule-temporal'
import { isEntangled, type Pattern } from './rule.ts'

/**
 * How many periods the library may step through in one answer: more than the days in any stretch that it is asked for.
 * Its other limit, a million candidates, must be left as it is, because its quick ways are only taken with that.
 */
const MAX_PERIODS = 40_000
/** Asked from early January on, it forgets the days that belong to the last week of the year before. */
const WEEK = 7 * 86_400_000

/**
 * The library is asked one thing only: which wall times of a calendar fit a pattern. It counts in UTC, where no clock
 * changes; what zones do, and where a series ends, is ours. As in python-dateutil, the start is an occurrence only if
 * the pattern fits it. The answer takes wall times from `from` up to, not including, `to`.
 */
export function calendarOf(pattern: Pattern, start: number): (from: number, to: number) => number[] {
  const [first, ...others] = separated(pattern).map((one) => askOf(one, start))
  return (from, to) =>
    others.reduce(
      (walls, ask) => {
        const also = new Set(ask(from, to))
        return walls.filter((wall) => also.has(wall))
      },
      first!(from, to),
    )
}

/**
 * In a year, parts that name days limit each other. The library adds up what some of them name, and is right about each
 * alone: so each is asked, and a day counts that all of them name.
 */
function separated(pattern: Pattern): Pattern[] {
  if (!isEntangled(pattern)) return [pattern]
  const { byMonthDay, byYearDay, byWeekNo, byDay, ...rest } = pattern
  const days: Partial<Pattern>[] = [{ byMonthDay }, { byYearDay }, { byWeekNo, byDay }]
  return days.filter((one) => Object.values(one).some(Boolean)).map((one) => ({ ...rest, ...one }))
}

function askOf(pattern: Pattern, start: number): (from: number, to: number) => number[] {
  const text = new Date(start).toISOString()
  const rule = new RRuleTemporal({
    ...pattern,
    maxIterations: MAX_PERIODS,
    cache: false,
    dtstart: { timeZoneId: 'UTC', toString: () => `${text}[UTC]` },
  })
  return (from, to) =>
    rule
      .between(new Date(Math.max(from - WEEK, start)), new Date(to - 1), true)
      .map((time) => time.epochMilliseconds)
      .filter((wall) => wall >= start && wall >= from && wall < to)
}
