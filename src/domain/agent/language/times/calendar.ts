import { instantOf, localOf } from '../../../series/recurrence/zone.ts'
import type { Day } from './days.ts'
import type { Moment } from './moments.ts'

/** The zone and the present, and whether a day or time without more is the next one or the last one. */
export interface Present {
  now: Date
  zone: string
  direction: 'future' | 'past'
}

const DAY = 86_400_000

export const localDay = (now: Date, zone: string): string => localOf(now, zone).date

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10)

/** Monday is 0. */
const weekdayOf = (date: string): number => (new Date(date).getUTCDay() + 6) % 7

export const startOfWeek = (date: string): string => addDays(date, -weekdayOf(date))

const dateOf = (year: number, month: number, day: number): string | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day))
  const real = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1970 && year < 2400
  return real ? date.toISOString().slice(0, 10) : undefined
}

/** The date that a day names, or none if it names no date exactly. `passed`: the time of day has passed today. */
export function resolveDay(day: Day, { now, zone, direction }: Present, passed?: boolean): string | undefined {
  const today = localDay(now, zone)
  if (day.kind === 'offset') return addDays(today, day.days)
  if (day.kind === 'weekday') return resolveWeekday(day, today, direction, passed)
  const step = direction === 'future' ? 1 : -1
  const candidates = datesOf(day, today, step)
  if (day.kind === 'date' && day.year) return candidates[0]
  return candidates.find((date) => date && isTowards(date, today, direction, passed))
}

/** The date this year or month, and the next or last one. */
function datesOf(
  day: Exclude<Day, { kind: 'offset' | 'weekday' }>,
  today: string,
  step: number,
): (string | undefined)[] {
  const [year, month] = today.split('-').map(Number) as [number, number]
  if (day.kind === 'vague') return []
  if (day.kind === 'dayOfMonth') return [dateOf(year, month, day.day), dateIn(year, month + step, day.day)]
  return day.year
    ? [dateOf(day.year, day.month, day.day)]
    : [dateOf(year, day.month, day.day), dateOf(year + step, day.month, day.day)]
}

const dateIn = (year: number, month: number, day: number) =>
  dateOf(year + Math.floor((month - 1) / 12), ((month + 11) % 12) + 1, day)

function isTowards(date: string, today: string, direction: Present['direction'], passed?: boolean): boolean {
  if (date === today) return direction === 'future' ? passed !== true : passed !== false
  return direction === 'future' ? date > today : date < today
}

function resolveWeekday(
  { weekday, which }: Extract<Day, { kind: 'weekday' }>,
  today: string,
  direction: Present['direction'],
  passed?: boolean,
): string | undefined {
  const index = (weekday + 6) % 7
  const ofWeek = (weeks: number) => addDays(startOfWeek(today), index + 7 * weeks)
  const ahead = (index - weekdayOf(today) + 7) % 7
  switch (which) {
    case 'nextWeek':
      return ofWeek(1)
    case 'lastWeek':
      return ofWeek(-1)
    case 'this':
      return direction === 'future' && ofWeek(0) < today ? undefined : ofWeek(0)
    case 'last':
      return addDays(today, ahead - 7)
    case 'next':
      // "Next Friday" on a Wednesday can be this week's or next week's.
      return ofWeek(0) > today ? undefined : ofWeek(1)
    default:
      return ahead > 0
        ? addDays(today, direction === 'future' ? ahead : ahead - 7)
        : sameWeekday(today, direction, passed)
  }
}

/** "On Wednesday" on a Wednesday: only a time of day says whether today is meant. */
function sameWeekday(today: string, direction: Present['direction'], passed?: boolean): string | undefined {
  if (direction === 'future') return passed === undefined ? undefined : addDays(today, passed ? 7 : 0)
  return passed ? today : addDays(today, -7)
}

/** The instant of a time of day on a date, unless a clock change skips it. */
export function instantAt(date: string, minutes: number, zone: string, offset?: number): Date | undefined {
  const day = addDays(date, Math.floor(minutes / 1440))
  const inDay = minutes % 1440
  const time = `${String(Math.floor(inDay / 60)).padStart(2, '0')}:${String(inDay % 60).padStart(2, '0')}`
  if (offset !== undefined) return new Date(Date.parse(`${day}T${time}:00Z`) - offset * 60_000)
  const instant = instantOf(day, time, zone)
  return localOf(instant, zone).time === time ? instant : undefined
}

/** The first instant of a date. */
export const startOf = (date: string, zone: string): Date => instantOf(date, '00:00', zone)

/**
 * The instant of a moment with a time of day. Without a day the next or the last such time; `after` is an instant
 * before which the moment cannot be, such as the start of its range.
 */
export function resolveMoment(moment: Moment, present: Present, after?: Date): Date | undefined {
  if (moment.vague) return undefined
  if (moment.instant) return moment.instant === 'now' ? present.now : new Date(moment.instant)
  const { clock, day } = moment
  if (clock?.minutes === undefined) return undefined
  const { minutes, offset } = clock
  const zone = offset === undefined ? present.zone : 'UTC'
  const at = (date: string | undefined) => (date ? instantAt(date, minutes, zone, offset) : undefined)
  if (day) {
    // Midnight of a day can be its beginning or its end; the end of tonight is clear.
    if (minutes === 1440 && moment.part !== 'evening') return undefined
    const today = at(localDay(present.now, zone))
    return at(resolveDay(day, present, today && today <= present.now))
  }
  const from = after ?? present.now
  const today = localDay(from, zone)
  const days = after || present.direction === 'future' ? [-1, 0, 1] : [0, -1, -2]
  const isRight = (instant: Date) => (after || present.direction === 'future' ? instant > from : instant <= from)
  return days.map((step) => at(addDays(today, step))).find((instant) => instant && isRight(instant))
}
