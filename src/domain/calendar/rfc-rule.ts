import { wallsOf } from '../series/recurrence/calendar.ts'
import { ambiguityOf, readRule } from '../series/recurrence/rrule-text.ts'
import { isEntangled, namedPattern, type Pattern, type Rule } from '../series/recurrence/rule.ts'
import { FARTHEST, pieceAt, wallAt, zoneOf } from '../series/recurrence/zone.ts'

/** The recurrence of a series as RFC 5545 defines it. Pure: no clock, no database. */

/** The pattern, unless programs disagree on its meaning. */
export function patternOf(rule: Rule): Pattern | undefined {
  if (rule.recurrence_type !== 'rrule') return namedPattern(rule)
  const read = readRule(rule.recurrence_rule ?? '')
  if (typeof read === 'string' || ambiguityOf(read) || isEntangled(read.pattern)) return undefined
  // Programs disagree on the year of the first and the last week.
  if (read.pattern.byWeekNo) return undefined
  return read.pattern
}

interface Stretch {
  /** The first instant. */
  first: number
  until: number
  zone: string
}

/**
 * The instants of a pattern from its first one up to `until`; undefined if the RFC and this service disagree: the RFC ignores a
 * time that a clock change skips, and knows no order of instants that coincide.
 */
export function rfcInstants(pattern: Pattern, stretch: Stretch): number[] | undefined {
  const found = instantsOf(pattern, stretch)
  if (found?.[0] !== stretch.first || isRepeated(stretch)) return undefined
  return pattern.bySetPos && skipsCandidate(pattern, stretch) ? undefined : found
}

const DAY = 86_400_000

/** Programs differ in which of two instants a start in a repeated hour is. */
function isRepeated({ first, zone: name }: Stretch): boolean {
  const zone = zoneOf(name)
  const wall = wallAt(first, zone)
  const other = wall - zone.offsetAt(first + DAY)
  return other !== first && wallAt(other, zone) === wall
}

const WEEKS_52 = 364 * DAY

/** Programs differ in whether a time that a clock change skips takes a position of BYSETPOS. */
function skipsCandidate({ bySetPos: _selected, ...all }: Pattern, { first, until, zone }: Stretch): boolean {
  return instantsOf({ ...all, interval: 1 }, { first: first - WEEKS_52, until, zone }) === undefined
}

function instantsOf(pattern: Pattern, { first, until, zone: name }: Stretch): number[] | undefined {
  const zone = zoneOf(name)
  const start = wallAt(first, zone)
  const found: number[] = []
  for (const wall of wallsOf(pattern, start, { from: start, to: wallAt(until, zone) + FARTHEST })) {
    const { offset, skipped } = pieceAt(zone, wall)
    const at = wall - offset
    if (at >= until) break
    if (skipped || at <= (found.at(-1) ?? Number.NEGATIVE_INFINITY)) return undefined
    found.push(at)
  }
  return found
}

/** The value of RRULE without an end. */
export function ruleText(pattern: Pattern): string {
  const { freq, interval, wkst } = pattern
  const lists: [name: string, values: (string | number)[] | undefined][] = [
    ['BYMONTH', pattern.byMonth],
    ['BYWEEKNO', pattern.byWeekNo],
    ['BYYEARDAY', pattern.byYearDay],
    ['BYMONTHDAY', pattern.byMonthDay],
    ['BYDAY', pattern.byDay],
    ['BYHOUR', pattern.byHour],
    ['BYMINUTE', pattern.byMinute],
    ['BYSETPOS', pattern.bySetPos],
  ]
  return [
    `FREQ=${freq}`,
    ...(interval > 1 ? [`INTERVAL=${interval}`] : []),
    ...lists.flatMap(([name, values]) => (values ? [`${name}=${values.join(',')}`] : [])),
    ...(wkst === 'MO' ? [] : [`WKST=${wkst}`]),
  ].join(';')
}
