/** The schedule of a series, in the fields of a request. */
export interface Rule {
  recurrence_type: 'daily' | 'weekly' | 'monthly_by_date' | 'monthly_by_weekday' | 'rrule'
  interval_weeks?: number | null
  /** ISO: Monday is 1. */
  weekday?: number | null
  /** 1 to 4, or -1 for the last. */
  ordinal_week?: number | null
  recurrence_rule?: string | null
  timezone: string
  /** `HH:mm` on the clock of `timezone`. */
  start_time: string
  /** `YYYY-MM-DD`, like `ends_on`, which is inclusive. */
  start_date: string
  ends_on?: string | null
  duration_minutes: number
  max_occurrences?: number | null
  /** The latest start. */
  recurrence_end_time?: Date | null
}

export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

/** The pattern of a recurrence in the terms of RFC 5545, without start and end. */
export interface Pattern {
  freq: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'
  interval: number
  wkst: (typeof WEEKDAYS)[number]
  byMonth?: number[]
  byMonthDay?: number[]
  byYearDay?: number[]
  byWeekNo?: number[]
  byDay?: string[]
  byHour?: number[]
  byMinute?: number[]
  bySetPos?: number[]
}

/** The patterns of the named types. */
export function namedPattern(rule: Rule): Pattern {
  const start = new Date(`${rule.start_date}T00:00:00Z`)
  const day = (weekday: number) => WEEKDAYS[weekday - 1]!
  switch (rule.recurrence_type) {
    case 'weekly':
      return {
        freq: 'WEEKLY',
        interval: rule.interval_weeks ?? 1,
        wkst: 'MO',
        byDay: [day(rule.weekday ?? (start.getUTCDay() || 7))],
      }
    case 'monthly_by_date':
      return { freq: 'MONTHLY', interval: 1, wkst: 'MO', byMonthDay: [start.getUTCDate()] }
    case 'monthly_by_weekday':
      return { freq: 'MONTHLY', interval: 1, wkst: 'MO', byDay: [`${rule.ordinal_week}${day(rule.weekday!)}`] }
    default:
      return { freq: 'DAILY', interval: 1, wkst: 'MO' }
  }
}

/** Whether several parts name days of the year beyond the examples of the RFC: programs disagree on such rules. */
export function isEntangled({ freq, byMonthDay, byYearDay, byWeekNo, byDay }: Pattern): boolean {
  if (freq !== 'YEARLY') return false
  const ordinal = byDay?.some((day) => day.length > 2)
  return Boolean((byYearDay && (byMonthDay || byDay)) || (byMonthDay && (ordinal || byWeekNo)))
}

/** The wall time of a calendar date and a time; undefined for a date that does not exist. */
export function wallOf(date: string, time = '00:00'): number | undefined {
  const text = `${date}T${time}`
  const wall = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? Date.parse(`${text}:00Z`) : Number.NaN
  // Date.parse takes 30 February for 1 March, and 24:00 for the next day.
  return !Number.isNaN(wall) && new Date(wall).toISOString().startsWith(text) ? wall : undefined
}
