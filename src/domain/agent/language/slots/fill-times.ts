import { localOf } from '../../../series/recurrence/zone.ts'
import type { SlotName } from '../intents/intent.ts'
import {
  addDays,
  instantAt,
  localDay,
  type Present,
  resolveDay,
  resolveMoment,
  startOf,
  startOfWeek,
} from '../times/calendar.ts'
import type { Chunk, TimeValue } from '../times/chunks.ts'
import type { Moment } from '../times/moments.ts'
import type { Slots } from '../types.ts'

/** Sets the slots of times that an intent has. The chunks that could not be read exactly, or that no slot takes, are unclear. */
export interface TimeScope {
  present: Present
  slots: ReadonlySet<SlotName>
  /** The time without a day that a correction keeps, and the day without a time. */
  base?: { start?: string | undefined; end?: string | undefined; until?: string | undefined }
  /** The words of the verb: an extension moves the end. */
  extends: boolean
}

type Times = Pick<Slots, 'start' | 'end' | 'minutes' | 'until' | 'at' | 'from' | 'to' | 'days' | 'date'>

export function fillTimes(chunks: Chunk[], scope: TimeScope): { times: Times; unclear: Chunk[] } {
  const times: Times = {}
  const unclear: Chunk[] = []
  // The end of a window is read after its start.
  const ordered = [...chunks].sort((a, b) => Number(a.preposition === 'until') - Number(b.preposition === 'until'))
  for (const chunk of ordered) {
    const taken = takeChunk(chunk, scope, times)
    if (!taken && !isPresent(chunk.value)) unclear.push(chunk)
  }
  return { times, unclear: unclear.sort((a, b) => a.from - b.from) }
}

/** "Now" and "today" add nothing to a question about the present. */
const isPresent = (value: TimeValue) =>
  value.kind === 'moment' &&
  (value.moment.instant === 'now' ||
    (value.moment.day?.kind === 'offset' && value.moment.day.days === 0 && !value.moment.clock))

function takeChunk(chunk: Chunk, scope: TimeScope, times: Times): boolean {
  if (chunk.value.kind === 'unclear') return false
  const { slots } = scope
  if (slots.has('start')) return takeWindow(chunk, scope, times)
  if (slots.has('until')) return takeUntil(chunk, scope, times)
  if (slots.has('date')) return takeDate(chunk, scope, times)
  if (slots.has('from')) return takePeriod(chunk, scope, times)
  if (slots.has('days')) return takeDays(chunk, scope, times)
  return slots.has('at') ? takeInstant(chunk, scope, times) : false
}

function set<K extends keyof Times>(times: Times, slot: K, value: Times[K] | undefined): boolean {
  if (value === undefined || (times[slot] !== undefined && times[slot] !== value)) return false
  times[slot] = value
  return true
}

const iso = (instant: Date | undefined): string | undefined =>
  instant && !Number.isNaN(instant.getTime()) ? instant.toISOString() : undefined

function takeWindow({ value, preposition }: Chunk, scope: TimeScope, times: Times): boolean {
  const { present } = scope
  if (value.kind === 'duration') return preposition !== 'by' && set(times, 'minutes', value.minutes)
  if (value.kind === 'relative') return set(times, 'start', after(present.now, value.minutes))
  if (value.kind === 'range') {
    const start = instantOfMoment(value.start, scope, 'start')
    const end = start && endOf(value, present, start)
    if (!start || !end || end <= start) return false
    return set(times, 'start', iso(start)) && set(times, 'end', iso(end))
  }
  if (value.kind !== 'moment') return false
  if (preposition === 'until' && (scope.extends || times.start !== undefined)) {
    const start = times.start ? new Date(times.start) : undefined
    const end = value.moment.day ? resolveMoment(value.moment, present) : resolveMoment(value.moment, present, start)
    return (!start || !end || end > start) && set(times, 'end', iso(end))
  }
  return set(
    times,
    scope.extends ? 'end' : 'start',
    iso(instantOfMoment(value.moment, scope, scope.extends ? 'end' : 'start')),
  )
}

const after = (now: Date, minutes: number): string | undefined =>
  minutes > 0 ? new Date(now.getTime() + minutes * 60_000).toISOString() : undefined

/** The end of a range is on the day of its start, or on the next day if its time is not later. */
function endOf({ end }: Extract<TimeValue, { kind: 'range' }>, present: Present, start: Date): Date | undefined {
  return end.day ? resolveMoment(end, present) : resolveMoment(end, present, start)
}

/** A correction such as "tomorrow instead" keeps the time of day, "make it 23:00" keeps the day. */
function instantOfMoment(
  moment: Moment,
  { present, base }: TimeScope,
  slot: 'start' | 'end' | 'until',
): Date | undefined {
  const kept = base?.[slot]
  if (!kept || moment.instant || moment.vague) return resolveMoment(moment, present)
  const local = localOf(new Date(kept), present.zone)
  if (moment.day && !moment.clock && !moment.part) {
    const date = resolveDay(moment.day, present)
    const [hours, minutes] = local.time.split(':').map(Number) as [number, number]
    return date ? instantAt(date, hours * 60 + minutes, present.zone) : undefined
  }
  if (moment.clock?.minutes !== undefined && !moment.day) {
    const sameDay = instantAt(local.date, moment.clock.minutes, present.zone, moment.clock.offset)
    return sameDay && sameDay > present.now ? sameDay : resolveMoment(moment, present)
  }
  return resolveMoment(moment, present)
}

function takeUntil({ value, preposition }: Chunk, scope: TimeScope, times: Times): boolean {
  if (value.kind === 'duration') return set(times, 'minutes', value.minutes)
  if (value.kind === 'rolling' && !value.past) return set(times, 'minutes', value.minutes)
  if (value.kind === 'relative') return false
  if (value.kind !== 'moment' || value.moment.instant === 'now') return false
  // A start in the future is another request.
  if (preposition !== 'until' && preposition !== 'to' && preposition !== undefined && scope.base === undefined)
    return false
  return set(times, 'until', iso(instantOfMoment(value.moment, scope, 'until')))
}

function takeDate({ value }: Chunk, { present }: TimeScope, times: Times): boolean {
  if (value.kind !== 'moment') return false
  if (value.moment.instant && value.moment.instant !== 'now')
    return set(times, 'date', localOf(new Date(value.moment.instant), present.zone).date)
  if (value.moment.day) return set(times, 'date', resolveDay(value.moment.day, present))
  const instant = resolveMoment(value.moment, present)
  return set(times, 'date', instant && value.moment.clock ? localDay(instant, present.zone) : undefined)
}

function takeInstant({ value }: Chunk, { present }: TimeScope, times: Times): boolean {
  if (value.kind === 'relative')
    return set(times, 'at', new Date(present.now.getTime() + value.minutes * 60_000).toISOString())
  if (value.kind !== 'moment' || value.moment.instant === 'now') return false
  return set(times, 'at', iso(resolveMoment(value.moment, present)))
}

function takeDays({ value }: Chunk, { present }: TimeScope, times: Times): boolean {
  if (value.kind === 'rolling' && value.past) return set(times, 'days', Math.max(1, Math.round(value.minutes / 1440)))
  if (value.kind === 'duration' && value.minutes >= 1440) return set(times, 'days', Math.round(value.minutes / 1440))
  if (value.kind === 'duration') return false
  if (value.kind === 'period' && value.which === 'last')
    return set(times, 'days', { week: 7, month: 30, year: 365, weekend: undefined }[value.unit])
  if (value.kind !== 'moment' || !value.moment.day || value.moment.clock) return false
  const date = resolveDay(value.moment.day, present)
  const days = date ? Math.round((Date.parse(localDay(present.now, present.zone)) - Date.parse(date)) / 86_400_000) : 0
  return days > 0 && set(times, 'days', days)
}

/** A question about a time: since, until, between, on a day, in a week. */
function takePeriod(chunk: Chunk, { present }: TimeScope, times: Times): boolean {
  const { value, preposition } = chunk
  const { now } = present
  if (value.kind === 'rolling' || (value.kind === 'duration' && preposition !== 'by')) {
    const past = value.kind === 'rolling' ? value.past : present.direction === 'past'
    const instant = new Date(now.getTime() + (past ? -1 : 1) * value.minutes * 60_000).toISOString()
    return set(times, past ? 'from' : 'to', instant)
  }
  const edges = edgesOf(value, present)
  if (!edges?.from) return false
  if (preposition === 'since' || preposition === 'after' || (preposition === 'from' && value.kind !== 'range'))
    return set(times, 'from', iso(edges.from))
  if (preposition === 'until') return set(times, 'to', iso(edges.to ?? edges.from))
  if (preposition === 'before' || preposition === 'by') return set(times, 'to', iso(edges.from))
  return set(times, 'from', iso(edges.from)) && (edges.to === undefined || set(times, 'to', iso(edges.to)))
}

function edgesOf(value: TimeValue, present: Present): { from?: Date | undefined; to?: Date | undefined } | undefined {
  const { now, zone } = present
  const days = (from: string, to: string) => ({ from: startOf(from, zone), to: startOf(to, zone) })
  if (value.kind === 'relative') return { from: new Date(now.getTime() + value.minutes * 60_000) }
  if (value.kind === 'period') return days(...periodDays(value.unit, value.which, localDay(now, zone)))
  if (value.kind === 'month') return days(...monthDays(value.month, value.year, present))
  if (value.kind === 'range') {
    const start = edgesOf({ kind: 'moment', moment: value.start }, present)
    if (!start?.from) return undefined
    const end =
      value.end.instant === 'now'
        ? { from: now }
        : value.end.day || value.end.clock === undefined
          ? edgesOf({ kind: 'moment', moment: value.end }, present)
          : { from: resolveMoment(value.end, present, start.from) }
    const to = end?.to ?? end?.from
    return to && to > start.from ? { from: start.from, to } : undefined
  }
  if (value.kind !== 'moment' || value.moment.instant === 'now') return undefined
  if (value.moment.clock || value.moment.instant) return { from: resolveMoment(value.moment, present) }
  const date = value.moment.day && !value.moment.vague ? resolveDay(value.moment.day, present) : undefined
  return date ? days(date, addDays(date, 1)) : undefined
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
