import { isTimeZone } from '../../settings/rules.ts'
import { countedIn, HORIZON, startsOf } from './occurrences.ts'
import { ambiguityOf, type ReadRule, readRule } from './rrule-text.ts'
import { type Rule, wallOf } from './rule.ts'
import { instantOf, localOf } from './zone.ts'

export interface Problem {
  path: keyof Rule
  /** Follows the name of the field. */
  message: string
}

const MINUTE = 60_000
const YEAR = 365.25 * 86_400_000
const EARLIEST = '2000-01-01'
const LATEST_START = '2099-12-31'
const LATEST_END = '2199-12-31'
const MOST_OCCURRENCES = 20_000
/** The longest gap between two occurrences of 29 February on a Monday, with 2100 in between. A longer gap is a mistake. */
const FIRST_WITHIN_YEARS = 40
/** The calendar repeats after 28 years; a dense rule is checked for fewer years, which include clock changes. */
const CHECKED_YEARS = 28
const CHECKED_OCCURRENCES = 10_000

/** Fields that only some types take; `true` where a type needs it. */
const OWN_FIELDS: Record<Rule['recurrence_type'], Partial<Record<keyof Rule, boolean>>> = {
  daily: {},
  weekly: { interval_weeks: false, weekday: false },
  monthly_by_date: {},
  monthly_by_weekday: { ordinal_week: true, weekday: true },
  rrule: { recurrence_rule: true },
}

/** Why the rule is not valid; each check runs only if the checks before found nothing. */
export function problemsOf(rule: Rule): Problem[] {
  const wrong = [...typeProblems(rule), ...valueProblems(rule)]
  if (wrong.length > 0) return wrong
  return endsBeforeStart(rule) ?? neverOccurs(rule) ?? overlaps(rule) ?? isCutOff(rule) ?? []
}

function typeProblems(rule: Rule): Problem[] {
  const own = OWN_FIELDS[rule.recurrence_type]
  const fields = ['interval_weeks', 'weekday', 'ordinal_week', 'recurrence_rule'] as const
  return fields.flatMap((path): Problem[] => {
    const given = rule[path] !== undefined && rule[path] !== null
    if (given && !(path in own))
      return [{ path, message: `is not allowed with recurrence_type ${rule.recurrence_type}` }]
    if (!given && own[path]) return [{ path, message: `is required with recurrence_type ${rule.recurrence_type}` }]
    return []
  })
}

function valueProblems(rule: Rule): Problem[] {
  const { interval_weeks, weekday, ordinal_week, recurrence_rule, start_date, ends_on } = rule
  const read = recurrence_rule ? readRule(recurrence_rule) : undefined
  const unreadable = typeof read === 'string' ? read : read && ambiguityOf(read)
  const checks: [path: keyof Rule, wrong: boolean, message: string][] = [
    ['timezone', !isTimeZone(rule.timezone), 'must be a time zone of the tz database, such as Europe/Berlin'],
    ['start_time', wallOf(EARLIEST, rule.start_time) === undefined, 'must be a time of day, HH:mm'],
    [
      'start_date',
      !isDate(start_date, LATEST_START),
      `must be a date, YYYY-MM-DD, from ${EARLIEST} to ${LATEST_START}`,
    ],
    [
      'ends_on',
      ends_on !== null && ends_on !== undefined && !isDate(ends_on, LATEST_END),
      `must be a date, YYYY-MM-DD, from ${EARLIEST} to ${LATEST_END}`,
    ],
    ['ends_on', Boolean(ends_on && ends_on < start_date), 'must not be before start_date'],
    ['duration_minutes', !within(rule.duration_minutes, 1, 366 * 1440), `must be 1 to ${366 * 1440}`],
    ['max_occurrences', !absentOr(rule.max_occurrences, 1, MOST_OCCURRENCES), `must be 1 to ${MOST_OCCURRENCES}`],
    ['interval_weeks', !absentOr(interval_weeks, 1, 520), 'must be 1 to 520'],
    ['weekday', !absentOr(weekday, 1, 7), 'must be 1 (Monday) to 7'],
    ['ordinal_week', ordinal_week !== -1 && !absentOr(ordinal_week, 1, 4), 'must be 1 to 4, or -1 for the last'],
    ['recurrence_rule', recurrence_rule === '' || unreadable !== undefined, unreadable ?? 'is empty'],
  ]
  return checks.filter(([, wrong]) => wrong).map(([path, , message]) => ({ path, message }))
}

function isDate(text: string, latest: string): boolean {
  return wallOf(text) !== undefined && text >= EARLIEST && text <= latest
}

function within(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most
}

function absentOr(value: number | null | undefined, least: number, most: number): boolean {
  return value === undefined || value === null || within(value, least, most)
}

function endsBeforeStart(rule: Rule): Problem[] | undefined {
  const { start_date, start_time, timezone, recurrence_end_time } = rule
  const { until, untilWall, untilInstant } = endOfRule(rule)
  const wall = wallOf(start_date, start_time)!
  const at = instantOf(start_date, start_time, timezone).getTime()
  const start = `${start_date} ${start_time} in ${timezone}`
  if ((untilWall ?? wall) < wall || (untilInstant ?? at) < at)
    return [{ path: 'recurrence_rule', message: `has UNTIL=${until}, which lies before the start, ${start}` }]
  if (recurrence_end_time && recurrence_end_time.getTime() < at)
    return [{ path: 'recurrence_end_time', message: `lies before the start, ${start}` }]
  return undefined
}

function endOfRule({ recurrence_type, recurrence_rule }: Rule): Partial<ReadRule> {
  const read = recurrence_type === 'rrule' ? readRule(recurrence_rule!) : {}
  return typeof read === 'string' ? {} : read
}

function neverOccurs(rule: Rule): Problem[] | undefined {
  const until = wallOf(rule.start_date)! + FIRST_WITHIN_YEARS * YEAR
  if (!startsOf(rule, { until }).next().done) return undefined
  if (rule.recurrence_end_time && !startsOf({ ...rule, recurrence_end_time: null }, { until }).next().done)
    return [{ path: 'recurrence_end_time', message: 'lies before the first occurrence' }]
  const { until: ruleEnd } = endOfRule(rule)
  const end = rule.ends_on ?? (ruleEnd && `UNTIL=${ruleEnd}`)
  const path = rule.recurrence_type === 'rrule' ? 'recurrence_rule' : 'ends_on'
  const stretch = end ? `between ${rule.start_date} and ${end}` : `from ${rule.start_date} on`
  return [{ path, message: `never occurs ${stretch}, or not within ${FIRST_WITHIN_YEARS} years` }]
}

/** Compares elapsed times: a daily window of 24 hours overlaps on the day with 23 hours. */
function overlaps(rule: Rule): Problem[] | undefined {
  const duration = rule.duration_minutes * MINUTE
  let [count, first, previous] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const at of startsOf(rule)) {
    if (at - previous < duration) {
      const { date, time } = localOf(new Date(previous), rule.timezone)
      const most = Math.floor((at - previous) / MINUTE)
      return [
        {
          path: 'duration_minutes',
          message: `is longer than the ${most} minutes from ${date} ${time} to the next occurrence`,
        },
      ]
    }
    first = Math.min(first, at)
    previous = at
    if (++count >= CHECKED_OCCURRENCES || at - first > CHECKED_YEARS * YEAR) break
  }
  return undefined
}

/** Refuses a count that the last year does not reach. */
function isCutOff(rule: Rule): Problem[] | undefined {
  const count = countedIn(rule)
  if (count === undefined) return undefined
  let found = 0
  for (const _at of startsOf(rule)) found++
  if (found === count) return undefined
  const path = rule.max_occurrences === count ? 'max_occurrences' : 'recurrence_rule'
  const year = new Date(HORIZON).getUTCFullYear()
  return [
    {
      path,
      message: `counts ${count} occurrences, but only ${found} lie before the year ${year}, the limit of this service`,
    },
  ]
}
