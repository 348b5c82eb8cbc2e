import { type Pattern, WEEKDAYS } from './rule.ts'

/** The cost of an expansion so far, for tests and benchmarks. */
export interface Effort {
  days: number
  walls: number
}

export interface Stretch {
  /** The first wanted wall time; the stretch ends before `to`. */
  from: number
  to: number
  effort?: Effort | undefined
}

const DAY = 86_400_000
const HOUR = 3_600_000
const MINUTE = 60_000

/**
 * The wall times of a pattern in order, in a calendar without clock changes. The expansion begins with the period (day,
 * week, month or year) of `from`, computed directly, so an old start costs nothing. A period costs its days, at most
 * 366; `BYSETPOS` selects by position and lists nothing.
 * The start is an occurrence only if the pattern fits the start, as in python-dateutil.
 */
export function* wallsOf(pattern: Pattern, start: number, { from, to, effort }: Stretch): Generator<number> {
  const begin = Math.max(from, start)
  const fits = dayRule(pattern, start)
  const times = timesOf(pattern, start)
  const { numberOf, firstDayOf } = periodsOf(pattern)
  const origin = numberOf(dayOf(start))
  const { interval, bySetPos } = pattern
  const passed = Math.floor((numberOf(dayOf(begin)) - origin) / interval)
  for (let number = origin + passed * interval; ; number += interval) {
    const [first, end] = [firstDayOf(number), firstDayOf(number + 1)]
    if (first * DAY >= to) return
    const days = daysBetween(first, end, fits)
    if (effort) effort.days += end - first
    const count = days.length * times.length
    const positions = positionsOf(bySetPos, count)
    for (let nth = 0; nth < (positions?.length ?? count); nth++) {
      const index = positions ? positions[nth]! : nth
      const wall = days[Math.floor(index / times.length)]! * DAY + times[index % times.length]!
      if (wall >= to) return
      if (wall < begin) continue
      if (effort) effort.walls += 1
      yield wall
    }
  }
}

const dayOf = (wall: number) => Math.floor(wall / DAY)

function timesOf({ byHour, byMinute }: Pattern, start: number): number[] {
  const at = new Date(start)
  const minutes = byMinute ?? [at.getUTCMinutes()]
  return (byHour ?? [at.getUTCHours()]).flatMap((hour) => minutes.map((minute) => hour * HOUR + minute * MINUTE))
}

function daysBetween(first: number, end: number, fits: (day: number) => boolean): number[] {
  const days: number[] = []
  for (let day = first; day < end; day++) if (fits(day)) days.push(day)
  return days
}

function positionsOf(bySetPos: number[] | undefined, count: number): number[] | undefined {
  const indexes = bySetPos?.map((position) => (position > 0 ? position - 1 : count + position))
  return indexes && [...new Set(indexes)].filter((index) => index >= 0 && index < count).sort((a, b) => a - b)
}

interface Periods {
  numberOf(day: number): number
  firstDayOf(number: number): number
}

function periodsOf({ freq, wkst }: Pattern): Periods {
  const weekStart = WEEKDAYS.indexOf(wkst) - THURSDAY
  switch (freq) {
    case 'DAILY':
      return { numberOf: (day) => day, firstDayOf: (number) => number }
    case 'WEEKLY':
      return { numberOf: (day) => Math.floor((day - weekStart) / 7), firstDayOf: (number) => number * 7 + weekStart }
    case 'MONTHLY':
      return {
        numberOf: (day) => yearOf(day) * 12 + new Date(day * DAY).getUTCMonth(),
        firstDayOf: (number) => firstOf(Math.floor(number / 12), number % 12),
      }
    case 'YEARLY':
      return { numberOf: yearOf, firstDayOf: (number) => firstOf(number, 0) }
  }
}

/** Day 0, the first of 1970, was a Thursday; Monday is weekday 0. */
const THURSDAY = 3
const weekdayOf = (day: number) => (((day + THURSDAY) % 7) + 7) % 7
const yearOf = (day: number) => new Date(day * DAY).getUTCFullYear()
const firstOf = (year: number, month: number) => Date.UTC(year, month) / DAY

interface Unit {
  first: number
  end: number
}

interface Month extends Unit {
  month: number
  year: Unit
}

function monthAt(day: number): Month {
  const at = new Date(day * DAY)
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  const whole = { first: firstOf(year, 0), end: firstOf(year + 1, 0) }
  return { first: firstOf(year, month), end: firstOf(year, month + 1), month: month + 1, year: whole }
}

type Test = (day: number, month: Month) => boolean

/** A day fits if every part of the pattern that names days names the day. */
function dayRule(pattern: Pattern, start: number): (day: number) => boolean {
  const { byMonth, byMonthDay, byYearDay, byWeekNo, byDay } = named(pattern, start)
  const tests: Test[] = []
  if (byMonth) tests.push((_day, { month }) => byMonth.includes(month))
  if (byMonthDay) tests.push((day, month) => counts(byMonthDay, day, month))
  if (byYearDay) tests.push((day, { year }) => counts(byYearDay, day, year))
  if (byWeekNo) tests.push(weekTest(byWeekNo, pattern.wkst))
  if (byDay) tests.push(weekdayTest(byDay, pattern.freq === 'YEARLY' && !byMonth))
  let month = monthAt(dayOf(start))
  return (day) => {
    if (day < month.first || day >= month.end) month = monthAt(day)
    for (const test of tests) if (!test(day, month)) return false
    return true
  }
}

/** Adds the day of the start to a pattern that names no days. */
function named(pattern: Pattern, start: number): Pattern {
  const { freq, byMonth, byMonthDay, byYearDay, byWeekNo, byDay } = pattern
  if (freq === 'DAILY' || byMonthDay || byYearDay || byWeekNo || byDay) return pattern
  const at = new Date(start)
  if (freq === 'WEEKLY') return { ...pattern, byDay: [WEEKDAYS[weekdayOf(dayOf(start))]!] }
  const months = freq === 'YEARLY' ? (byMonth ?? [at.getUTCMonth() + 1]) : byMonth
  return { ...pattern, byMonth: months, byMonthDay: [at.getUTCDate()] }
}

/** Counted from 1 at the beginning of a month or year, and from -1 at its end. */
const counts = (numbers: number[], day: number, { first, end }: Unit) =>
  numbers.includes(day - first + 1) || numbers.includes(day - end)

/** A week belongs to the year of its fourth day. */
function weekTest(numbers: number[], wkst: Pattern['wkst']): Test {
  const first = WEEKDAYS.indexOf(wkst)
  return (day, { year: own }) => {
    const fourth = day + 3 - ((weekdayOf(day) - first + 7) % 7)
    const year = fourth >= own.first && fourth < own.end ? own : monthAt(fourth).year
    const number = Math.floor((fourth - year.first) / 7) + 1
    const fromTheEnd = -1 - Math.floor((year.end - 1 - fourth) / 7)
    return numbers.includes(number) || numbers.includes(fromTheEnd)
  }
}

/** `MO` is every Monday, `2MO` the second of the month or year, `-1MO` the last. */
function weekdayTest(byDay: string[], ofYear: boolean): Test {
  const ordinals = WEEKDAYS.map((name) =>
    byDay.filter((day) => day.endsWith(name)).map((day) => Number(day.slice(0, -2) || 0)),
  )
  return (day, month) => {
    const wanted = ordinals[weekdayOf(day)]!
    if (wanted.length === 0) return false
    const { first, end } = ofYear ? month.year : month
    return (
      wanted.includes(0) ||
      wanted.includes(Math.floor((day - first) / 7) + 1) ||
      wanted.includes(-1 - Math.floor((end - 1 - day) / 7))
    )
  }
}
