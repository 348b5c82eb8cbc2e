import { ruleOf, startsAhead } from '../series/plan.ts'
import { startsOf } from '../series/recurrence/occurrences.ts'
import { patternOf, rfcInstants, ruleText } from './rfc-rule.ts'

/** Which occurrences of a series one recurring event of a calendar shows. Pure: the caller passes the time. */

export type Schedule = Parameters<typeof startsAhead>[0] & { status: string }

/** A stored occurrence, and what the calendar shows of its window. */
export interface Place {
  /** The start by the schedule of the series, in milliseconds. */
  at: number
  /** `plain`: as the series. `own`: by an event of its own. `hidden`: not at all. */
  shown: 'plain' | 'own' | 'hidden'
}

export interface Recurrence {
  /** The start of the first occurrence. */
  first: number
  /** The value of RRULE without an end. */
  rule: string
  /** The start of the last occurrence, if there is one. */
  until: number | undefined
  /** The occurrences of the rule that do not take place, or that no calendar shows any more. */
  excluded: number[]
  /** Whether the rule names an occurrence. */
  has(at: number): boolean
}

const YEARS_COMPARED = 2
const MOST_EXCLUDED = 500

/** The recurring event; undefined if RFC 5545 gives other occurrences than the series, or if there are none to show. */
export function recurrenceOf(schedule: Schedule, places: Place[]): Recurrence | undefined {
  const rule = ruleOf(schedule)
  const pattern = patternOf(rule)
  if (!pattern || schedule.offset_ms !== 0) return undefined
  const settled = schedule.settled_until.getTime()
  const until = yearsAfter(Math.max(settled, firstAhead(schedule) ?? settled), YEARS_COMPARED)
  const inOrder = places.toSorted((a, b) => a.at - b.at)
  const shown = inOrder.filter((place) => place.shown !== 'hidden')
  const own = startsFrom(rule, shown[0]?.at, until)
  const ruled = new Set(own)
  const first = shown.find(({ at }) => ruled.has(at))?.at ?? firstAhead(schedule)
  if (first === undefined) return undefined
  const compared = own.filter((at) => at >= first)
  const foreign = rfcInstants(pattern, { first, until, zone: schedule.timezone })
  if (!foreign || compared.some((at, index) => at !== foreign[index])) return undefined
  const last = lastOf(
    schedule,
    shown.filter(({ at }) => ruled.has(at)),
  )
  const excluded = excludedFrom(
    foreign.filter((at) => at <= (last ?? until)),
    inOrder,
    settled,
  )
  if (excluded.length > MOST_EXCLUDED) return undefined
  const named = new Set(foreign)
  return {
    ...{ first, rule: ruleText(pattern), until: last, excluded },
    has: (at) => named.has(at) && at <= (last ?? until),
  }
}

const firstAhead = (schedule: Schedule): number | undefined => {
  if (schedule.status !== 'active') return undefined
  for (const at of startsAhead(schedule)) return at
  return undefined
}

function startsFrom(rule: ReturnType<typeof ruleOf>, from: number | undefined, until: number): number[] {
  return [...startsOf(rule, { from, until })]
}

/** The end of the recurrence; a series that creates no more windows ends with its last window. */
function lastOf(schedule: Schedule, shown: Place[]): number | undefined {
  const created = shown.at(-1)?.at
  if (schedule.status !== 'active') return created
  if (!hasEnd(schedule)) return undefined
  let last = created
  for (const at of startsAhead(schedule)) last = at
  return last
}

function hasEnd({ ends_on, max_occurrences, recurrence_end_time, recurrence_rule }: Schedule): boolean {
  const end = ends_on ?? max_occurrences ?? recurrence_end_time
  return end !== null || /\b(COUNT|UNTIL)\s*=/i.test(recurrence_rule ?? '')
}

/** Of the settled occurrences only stored ones take place; a later one is stored only if it was skipped. */
function excludedFrom(instants: number[], places: Place[], settled: number): number[] {
  const shownAt = new Map(places.map(({ at, shown }) => [at, shown]))
  return instants.filter((at) => (shownAt.get(at) ?? (at < settled ? 'hidden' : 'plain')) === 'hidden')
}

function yearsAfter(moment: number, years: number): number {
  const date = new Date(moment)
  return date.setUTCFullYear(date.getUTCFullYear() + years)
}
