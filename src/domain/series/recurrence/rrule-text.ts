import { isEntangled, type Pattern, WEEKDAYS, wallOf } from './rule.ts'

/**
 * RFC 5545, section 3.3.10, read strictly, because a misread rule moves a window. Beyond the RFC, the reader refuses parts
 * that programs interpret differently and parts that no window needs.
 */
export interface ReadRule {
  pattern: Pattern
  count?: number
  /** The value of UNTIL in the text. */
  until?: string
  /** The latest wall time of a start, or the latest instant if UNTIL is in UTC. */
  untilWall?: number
  untilInstant?: number
}

/** Enough for every part with a short list. */
const LONGEST = 500
const MOST_A_DAY = 8

const RANGES: Record<string, { most: number; least?: 0 | 1; negative?: true }> = {
  INTERVAL: { most: 1000 },
  COUNT: { most: 20_000 },
  BYMONTH: { most: 12 },
  BYMONTHDAY: { most: 31, negative: true },
  BYYEARDAY: { most: 366, negative: true },
  BYWEEKNO: { most: 53, negative: true },
  BYSETPOS: { most: 366, negative: true },
  BYHOUR: { most: 23, least: 0 },
  BYMINUTE: { most: 59, least: 0 },
  BYSECOND: { most: 59, least: 0 },
}
const PART = /^([A-Z]+)=([^=\s]+)$/
const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const

/** The rule, or why the text is not a rule. */
export function readRule(text: string): ReadRule | string {
  if (text.length > LONGEST) return `is longer than ${LONGEST} characters`
  const upper = text.trim().toUpperCase()
  const line = /\b(DTSTART|DTEND|DURATION|EXDATE|RDATE|EXRULE)\b[;:=]/.exec(upper)?.[1]
  if (line) return `must be one rule without ${line}: ${REPLACED[line] ?? 'only the rule itself is supported'}`
  const parts = new Map<string, string>()
  const all = upper.replace(/^RRULE:/, '').split(';')
  for (const [index, part] of all.entries()) {
    const [, name, value] = PART.exec(part) ?? []
    if (!name || !value) return partProblem(part, index > 0 && index === all.length - 1)
    if (parts.has(name)) return `has ${name} twice`
    parts.set(name, value)
  }
  return readParts(parts)
}

function partProblem(part: string, isLast: boolean): string {
  const packed = part.replace(/\s/g, '')
  if (part === '' && isLast) return 'ends with ";", which separates parts: remove the ";"'
  if (packed !== part && PART.test(packed)) return `has a space in "${part}": write "${packed}"`
  return `has a part that is not NAME=value: "${part}"`
}

const REPLACED: Record<string, string> = {
  DTSTART: 'start_date and start_time define the start',
  DTEND: 'duration_minutes defines the length',
  DURATION: 'duration_minutes defines the length',
  EXDATE: 'skip an occurrence of the series instead',
  RDATE: 'create a maintenance of its own instead',
}

function readParts(parts: Map<string, string>): ReadRule | string {
  const freq = FREQUENCIES.find((known) => known === parts.get('FREQ'))
  if (!freq) return freqProblem(parts.get('FREQ'))
  const lists: Record<string, number[]> = {}
  const read: ReadRule = { pattern: { freq, interval: 1, wkst: 'MO' } }
  for (const [name, value] of parts) {
    if (name === 'FREQ') continue
    const problem = RANGES[name] ? readNumbers(name, value, lists) : readOther(name, value, read)
    if (problem) return problem
  }
  const { INTERVAL, COUNT } = lists
  read.pattern = {
    ...read.pattern,
    interval: INTERVAL?.[0] ?? 1,
    byMonth: lists.BYMONTH,
    byMonthDay: lists.BYMONTHDAY,
    byYearDay: lists.BYYEARDAY,
    byWeekNo: lists.BYWEEKNO,
    byHour: lists.BYHOUR,
    byMinute: lists.BYMINUTE,
    bySetPos: lists.BYSETPOS,
  }
  read.count = COUNT?.[0]
  return togetherProblem(freq, parts, read.pattern) ?? read
}

function freqProblem(freq: string | undefined): string {
  if (!freq) return 'has no FREQ'
  if (!/^(HOUR|MINUTE|SECOND)LY$/.test(freq)) return `has an unknown FREQ, ${freq}`
  return `has FREQ=${freq}: the shortest frequency is DAILY; BYHOUR gives several windows a day`
}

function readNumbers(name: string, value: string, lists: Record<string, number[]>): string | undefined {
  const { most, least = 1, negative } = RANGES[name]!
  const numbers = value.split(',').map((text) => (/^[+-]?\d{1,6}$/.test(text) ? Number(text) : Number.NaN))
  const signed = negative ? ` or -${most} to -1` : ''
  const fits = (number: number) => (negative ? Math.abs(number) : number) >= least && Math.abs(number) <= most
  if (!numbers.every(fits)) return `has ${name}=${value}, which takes ${least} to ${most}${signed}`
  if (numbers.length > 1 && !name.startsWith('BY')) return `has ${name}=${value}, which takes one number`
  lists[name] = [...new Set(numbers)].sort((a, b) => a - b)
  return undefined
}

function readOther(name: string, value: string, read: ReadRule): string | undefined {
  if (name === 'UNTIL') return readUntil(value, read)
  if (name === 'WKST') {
    const first = WEEKDAYS.find((day) => day === value)
    read.pattern.wkst = first ?? 'MO'
    return first ? undefined : `has WKST=${value}, which takes ${WEEKDAYS.join(', ')}`
  }
  if (name !== 'BYDAY') return `has the unknown part ${name}`
  const days = value.split(',')
  read.pattern.byDay = [...new Set(days.map((day) => day.replace(/^\+?0*(?=[1-9])/, '').replace(/^-0+/, '-')))]
  const fits = (day: string) => /^([+-]?(0?[1-9]|[1-4]\d|5[0-3]))?(MO|TU|WE|TH|FR|SA|SU)$/.test(day)
  return days.every(fits) ? undefined : `has BYDAY=${value}, which takes days such as MO, 2TU or -1FR`
}

/** A date includes the whole day in the time zone, like `ends_on`. */
function readUntil(value: string, read: ReadRule): string | undefined {
  const [, year, month, day, hour, minute, second, utc] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/.exec(value) ?? []
  const wall = wallOf(`${year}-${month}-${day}`, hour ? `${hour}:${minute}` : '23:59')
  if (wall === undefined || Number(second ?? 0) > 59) return `has UNTIL=${value}, which is not a date such as 20261231`
  const last = wall + Number(second ?? 0) * 1000
  read.until = value
  if (utc) read.untilInstant = last
  else read.untilWall = last
  return undefined
}

/** A valid rule that programs interpret in two ways. Stored series with such a rule continue unchanged. */
export function ambiguityOf({ pattern: { freq, byMonth, byMonthDay } }: ReadRule): string | undefined {
  if (freq !== 'YEARLY' || !byMonthDay || byMonth) return undefined
  const days = `BYMONTHDAY=${byMonthDay.join(',')}`
  return `has BYMONTHDAY without BYMONTH, which some programs read as every month and others as the month of the start: write FREQ=MONTHLY;${days} or FREQ=YEARLY;BYMONTH=…;${days}`
}

function togetherProblem(freq: Pattern['freq'], parts: Parts, pattern: Pattern): string | undefined {
  if (parts.has('COUNT') && parts.has('UNTIL')) return 'has COUNT and UNTIL: a rule has only one of them'
  const problem =
    frequencyProblem(freq, parts, pattern) ??
    weekProblem(parts, pattern) ??
    weekdayProblem(freq, parts, pattern) ??
    positionProblem(freq, parts, pattern)
  if (problem) return problem
  if ((parts.get('BYSECOND') ?? '0').split(',').some((second) => Number(second) !== 0))
    return 'has BYSECOND, but a window starts on the minute'
  const times = timesADay(pattern)
  return times > MOST_A_DAY ? `starts ${times} times a day; ${MOST_A_DAY} is the most` : undefined
}

type Parts = Map<string, string>

const timesADay = ({ byHour, byMinute }: Pattern) => (byHour?.length ?? 1) * (byMinute?.length ?? 1)

function frequencyProblem(freq: Pattern['freq'], parts: Parts, { byDay }: Pattern): string | undefined {
  const ordinal = byDay?.find((day) => /\d/.test(day))
  const onlyYearly = ['BYYEARDAY', 'BYWEEKNO'].find((name) => parts.has(name))
  if (freq !== 'YEARLY' && onlyYearly) return `has ${onlyYearly}, which requires FREQ=YEARLY`
  if (freq === 'WEEKLY' && parts.has('BYMONTHDAY')) return 'has BYMONTHDAY, which is not allowed with FREQ=WEEKLY'
  if (ordinal && !['MONTHLY', 'YEARLY'].includes(freq))
    return `has BYDAY=${ordinal}, which requires FREQ=MONTHLY or YEARLY`
  if (ordinal && parts.has('BYWEEKNO')) return `has BYDAY=${ordinal}, which is not allowed with BYWEEKNO`
  return undefined
}

function weekProblem(parts: Parts, pattern: Pattern): string | undefined {
  if (!parts.has('BYWEEKNO')) return undefined
  // The RFC uses the weekday of the start; python-dateutil and others use all seven.
  if (!parts.has('BYDAY')) return 'has BYWEEKNO without BYDAY: programs disagree on the day'
  // Programs also disagree on the year of the first and the last week.
  const ofWeeks = pattern.interval > 1 ? 'INTERVAL' : pattern.bySetPos && 'BYSETPOS'
  return ofWeeks && `has ${ofWeeks} with BYWEEKNO: programs disagree on a week's year`
}

function weekdayProblem(freq: Pattern['freq'], parts: Parts, { byDay }: Pattern): string | undefined {
  const farthest = freq === 'YEARLY' && !parts.has('BYMONTH') ? 52 : 5
  const far = byDay?.find((day) => Math.abs(Number.parseInt(day, 10)) > farthest)
  return far && `has BYDAY=${far}, which is limited to ${farthest} here; -1 is the last`
}

function positionProblem(freq: Pattern['freq'], parts: Parts, pattern: Pattern): string | undefined {
  if (!parts.has('BYSETPOS')) return undefined
  const others = [...parts.keys()].filter((name) => name.startsWith('BY') && name !== 'BYSETPOS')
  if (isEntangled(pattern)) return 'has BYSETPOS with several parts that name days of a year'
  if (others.length === 0) return 'has BYSETPOS, which requires another BY part to select from'
  const days = { DAILY: 1, WEEKLY: pattern.byDay?.length ?? 1, MONTHLY: 31, YEARLY: 366 }[freq]
  const choice = days * timesADay(pattern)
  const beyond = pattern.bySetPos?.find((position) => Math.abs(position) > choice)
  return beyond === undefined ? undefined : `has BYSETPOS=${beyond}, but there are at most ${choice} positions`
}
