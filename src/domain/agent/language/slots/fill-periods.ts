import { addDays, localDay, type Present, resolveDay, resolveMoment, startOf, startOfWeek } from '../times/calendar.ts'
import type { Chunk, TimeValue } from '../times/chunks.ts'
import type { Moment } from '../times/moments.ts'
import { iso, set, type Times } from './times.ts'

/** A question about a time: since, until, between, on a day, in a week. */
export function takePeriod(chunk: Chunk, present: Present, times: Times): boolean {
  const { value, preposition } = chunk
  const { now } = present
  if (value.kind === 'rolling' || (value.kind === 'duration' && (preposition === undefined || preposition === 'in'))) {
    const past = value.kind === 'rolling' ? value.past : present.direction === 'past'
    const instant = new Date(now.getTime() + (past ? -1 : 1) * value.minutes * 60_000).toISOString()
    return set(times, past ? 'from' : 'to', instant)
  }
  const edges = edgesOf(value, present)
  if (!edges?.from) return false
  const isOpen =
    preposition === 'since' || preposition === 'after' || (preposition === 'from' && edges.to === undefined)
  if (isOpen) return set(times, 'from', iso(edges.from))
  if (preposition === 'until') return set(times, 'to', iso(edges.to ?? edges.from))
  if (preposition === 'before' || preposition === 'by') return set(times, 'to', iso(edges.from))
  return set(times, 'from', iso(edges.from)) && (edges.to === undefined || set(times, 'to', iso(edges.to)))
}

const DAY = 86_400_000

interface Edges {
  from?: Date | undefined
  to?: Date | undefined
}

function edgesOf(value: TimeValue, present: Present): Edges | undefined {
  const { now, zone } = present
  switch (value.kind) {
    case 'relative':
      return { from: new Date(now.getTime() + value.minutes * 60_000) }
    case 'period':
      return daysBetween(periodDays(value.unit, value.which, localDay(now, zone)), zone)
    case 'month':
      return daysBetween(monthDays(value.month, value.year, present), zone)
    case 'range':
      return edgesOfRange(value, present)
    case 'moment':
      return edgesOfMoment(value.moment, present)
    default:
      return undefined
  }
}

const daysBetween = ([from, to]: [string, string], zone: string): Edges => ({
  from: startOf(from, zone),
  to: startOf(to, zone),
})

/** A day is the time from its beginning to its end. */
function edgesOfMoment(moment: Moment, present: Present): Edges | undefined {
  if (moment.instant === 'now') return { from: present.now }
  if (moment.clock || moment.instant) return { from: resolveMoment(moment, present) }
  const date = moment.day && !moment.vague ? resolveDay(moment.day, present) : undefined
  return date ? daysBetween([date, addDays(date, 1)], present.zone) : undefined
}

function edgesOfRange({ start, end }: Extract<TimeValue, { kind: 'range' }>, present: Present): Edges | undefined {
  const from = edgesOfMoment(start, present)?.from
  if (!from) return undefined
  const last = end.clock && !end.day ? { from: resolveMoment(end, present, from) } : edgesOfMoment(end, present)
  const to = last?.to ?? last?.from
  if (to && to > from) return { from, to }
  // "Between Monday and Wednesday" on a Wednesday includes today.
  const later = to && end.day?.kind === 'weekday' ? new Date(to.getTime() + 7 * DAY) : undefined
  return later && later > from ? { from, to: later } : undefined
}

function periodDays(
  unit: 'week' | 'month' | 'year' | 'weekend',
  which: 'this' | 'last' | 'next',
  today: string,
): [string, string] {
  const step = { this: 0, last: -1, next: 1 }[which]
  const monday = addDays(startOfWeek(today), 7 * step)
  if (unit === 'week') return [monday, addDays(monday, 7)]
  if (unit === 'weekend') return [addDays(monday, 5), addDays(monday, 7)]
  const [year, month] = today.split('-').map(Number) as [number, number]
  if (unit === 'year') return [`${year + step}-01-01`, `${year + step + 1}-01-01`]
  return [firstOf(year, month + step), firstOf(year, month + step + 1)]
}

const firstOf = (year: number, month: number) => new Date(Date.UTC(year, month - 1, 1)).toISOString().slice(0, 10)

function monthDays(month: number, named: number | undefined, { now, zone, direction }: Present): [string, string] {
  const [year, current] = localDay(now, zone).split('-').map(Number) as [number, number]
  const shift = direction === 'past' ? (month > current ? -1 : 0) : month < current ? 1 : 0
  return [firstOf(named ?? year + shift, month), firstOf(named ?? year + shift, month + 1)]
}
