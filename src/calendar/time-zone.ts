import { WEEKDAYS } from '../domain/series/recurrence/rule.ts'
import { zoneOf } from '../domain/series/recurrence/zone.ts'
import { localValue } from './text-rules.ts'
import { type ClockChange, clockChanges } from './zone-changes.ts'

/** A change that repeats in the same way for so many years has a rule; a date can fall on the same weekday for eleven years by chance. */
const YEARS_ALIKE = 12
/** Changes without a rule are listed for so many years. */
const YEARS_LISTED = 14
const DAY = 86_400_000

/** The VTIMEZONE of a zone for events from `begin` on; `end` is the last moment that the service has planned. */
export function timeZoneLines(zone: string, begin: number, end: number): string[] {
  const firstYear = new Date(begin).getUTCFullYear() - 1
  const lastYear = Math.max(new Date(end).getUTCFullYear(), firstYear) + YEARS_LISTED
  const changes = clockChanges(zone, firstYear, lastYear)
  const offset = zoneOf(zone).offsetAt(Date.UTC(firstYear, 0))
  const groups = Map.groupBy(changes, ({ from, to }) => `${from} ${to}`)
  return [
    'BEGIN:VTIMEZONE',
    `TZID:${zone}`,
    ...observance({ from: offset, to: offset }, Date.UTC(firstYear, 0), []),
    ...[...groups.values()].flatMap((group) => groupLines(group, lastYear)),
    'END:VTIMEZONE',
  ]
}

function groupLines(group: ClockChange[], lastYear: number): string[] {
  const regular = yearlyTail(group, lastYear)
  const listed = group.slice(0, group.length - regular.length)
  const [first] = regular
  return [
    ...listObservance(listed),
    ...(first ? observance(first, wallOf(first), [`RRULE:${yearlyRule(regular)}`]) : []),
  ]
}

/** The first change is also listed, because some programs skip DTSTART if there are other dates. */
function listObservance(changes: ClockChange[]): string[] {
  const [first] = changes
  if (!first) return []
  return observance(
    first,
    wallOf(first),
    changes.map((change) => `RDATE:${localValue(wallOf(change))}`),
  )
}

function observance({ from, to }: Pick<ClockChange, 'from' | 'to'>, wall: number, lines: string[]): string[] {
  const kind = to > from ? 'DAYLIGHT' : 'STANDARD'
  return [
    `BEGIN:${kind}`,
    `DTSTART:${localValue(wall)}`,
    `TZOFFSETFROM:${offsetText(from)}`,
    `TZOFFSETTO:${offsetText(to)}`,
    ...lines,
    `END:${kind}`,
  ]
}

/** A change begins at the wall time before it. */
const wallOf = ({ at, from }: ClockChange) => at + from

/** The last changes, if one happens in every year up to the last one by the same rule. */
function yearlyTail(group: ClockChange[], lastYear: number): ClockChange[] {
  let length = 0
  let rules = new Set<string>()
  let year = lastYear
  for (const change of group.toReversed()) {
    const next = rulesOf(change)
    const common = length === 0 ? next : new Set(next.values().filter((rule) => rules.has(rule)))
    if (yearIn(change) !== year || common.size === 0) break
    rules = common
    length += 1
    year -= 1
  }
  return length < YEARS_ALIKE ? [] : group.slice(-length)
}

/** The rule that all changes have in common. */
function yearlyRule(changes: ClockChange[]): string {
  const [rule] = changes.map(rulesOf).reduce((some, next) => new Set(some.values().filter((one) => next.has(one))))
  return rule!.split(' ').at(-1)!
}

const yearIn = (change: ClockChange) => new Date(wallOf(change)).getUTCFullYear()

/** By the number of its weekday in the month, from the beginning and from the end, with its time. */
function rulesOf(change: ClockChange): Set<string> {
  const wall = wallOf(change)
  const date = new Date(wall)
  const day = date.getUTCDate()
  const weekday = WEEKDAYS[(date.getUTCDay() + 6) % 7]!
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  const nth = Math.ceil(day / 7)
  const fromEnd = Math.ceil((lastDay - day + 1) / 7)
  const numbers = [...(nth <= 4 ? [nth] : []), ...(fromEnd === 1 ? [-1] : [])]
  const month = date.getUTCMonth() + 1
  return new Set(numbers.map((number) => `${wall % DAY} FREQ=YEARLY;BYMONTH=${month};BYDAY=${number}${weekday}`))
}

function offsetText(offset: number): string {
  const seconds = Math.abs(offset) / 1000
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const digits = parts.map((part) => String(part).padStart(2, '0'))
  return `${offset < 0 ? '-' : '+'}${(digits[2] === '00' ? digits.slice(0, 2) : digits).join('')}`
}
