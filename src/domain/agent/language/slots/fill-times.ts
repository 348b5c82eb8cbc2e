import { localOf } from '../../../series/recurrence/zone.ts'
import type { SlotName } from '../intents/intent.ts'
import { instantAt, localDay, type Present, resolveDay, resolveMoment } from '../times/calendar.ts'
import type { Chunk, TimeValue } from '../times/chunks.ts'
import type { Moment } from '../times/moments.ts'
import { takePeriod } from './fill-periods.ts'
import { iso, set, type Times } from './times.ts'

/** Sets the slots of times that an intent has. The chunks that could not be read exactly, or that no slot takes, are unclear. */
export interface TimeScope {
  present: Present
  slots: ReadonlySet<SlotName>
  /** The time without a day that a correction keeps, and the day without a time. */
  base: { start?: string; end?: string; until?: string } | undefined
  /** How the verb changes a window; absent for a new window. */
  change?: WindowChange | undefined
}

/** A duration moves the end of an extension, start and end of a delay, and of a move only with "by". How far an advance goes is not read. */
export type WindowChange = 'extension' | 'shortening' | 'delay' | 'move' | 'advance'

export function fillTimes(chunks: Chunk[], scope: TimeScope): { times: Times; unclear: Chunk[] } {
  const times: Times = {}
  const unclear: Chunk[] = []
  // The end of a window is read after its start, and a length last.
  const ordered = [...chunks].sort((a, b) => turnOf(a) - turnOf(b))
  for (const chunk of ordered) {
    const taken = takeChunk(chunk, scope, times)
    if (!taken && !isPresent(chunk.value, scope.slots)) unclear.push(chunk)
  }
  return { times, unclear: unclear.sort((a, b) => a.from - b.from) }
}

const turnOf = (chunk: Chunk) => (chunk.value.kind === 'duration' ? 2 : Number(isEnd(chunk)))

const isEnd = ({ preposition }: Chunk) => preposition === 'until' || preposition === 'before' || preposition === 'by'

/** "Now" and "today" add nothing, unless a moment is asked for. */
function isPresent({ kind, ...value }: TimeValue, slots: TimeScope['slots']): boolean {
  const moment = kind === 'moment' && 'moment' in value ? value.moment : undefined
  if (!moment || slots.has('start')) return moment?.instant === 'now'
  return moment.instant === 'now' || (moment.day?.kind === 'offset' && moment.day.days === 0 && !moment.clock)
}

function takeChunk(chunk: Chunk, scope: TimeScope, times: Times): boolean {
  if (chunk.value.kind === 'unclear') return false
  const { slots } = scope
  if (slots.has('start')) return takeWindow(chunk, scope, times)
  if (slots.has('until')) return takeUntil(chunk, scope, times)
  if (slots.has('date')) return takeDate(chunk, scope, times)
  if (slots.has('from')) return takePeriod(chunk, scope.present, times)
  if (slots.has('days')) return takeDays(chunk, scope, times)
  return slots.has('at') ? takeInstant(chunk, scope, times) : false
}

function takeWindow(chunk: Chunk, scope: TimeScope, times: Times): boolean {
  const { value } = chunk
  switch (value.kind) {
    case 'duration':
      return takeLength(value.minutes, chunk, scope, times)
    case 'relative':
      return set(times, 'start', after(scope.present.now, value.minutes))
    case 'range':
      return takeRange(value, scope, times)
    case 'moment':
      return takeEdge(value.moment, chunk, scope, times)
    default:
      return false
  }
}

function takeLength(minutes: number, { preposition }: Chunk, { change }: TimeScope, times: Times): boolean {
  if (change === 'extension' || change === 'shortening') {
    return set(times, 'longer', change === 'extension' ? minutes : -minutes)
  }
  const isShift = change === 'delay' ? times.start === undefined : change === 'move' && preposition === 'by'
  if (isShift) return set(times, 'shift', minutes)
  return preposition !== 'by' && set(times, 'minutes', minutes)
}

/** A window ends until, before and by a time. A delay until a time, and a move, set the start. */
function takeEdge(moment: Moment, chunk: Chunk, scope: TimeScope, times: Times): boolean {
  const { change, present } = scope
  const isExtended = change === 'extension' || change === 'shortening'
  const sets = isExtended || change === undefined || times.start !== undefined ? 'end' : 'start'
  if (isEnd(chunk) && sets === 'end') return takeEnd(moment, present, times)
  // "Move it before 10:00" names no start.
  if (isEnd(chunk) && chunk.preposition !== 'until') return false
  const slot = isExtended ? 'end' : 'start'
  return set(times, slot, iso(instantOfMoment(moment, scope, slot)))
}

function takeRange({ start, end }: Extract<TimeValue, { kind: 'range' }>, scope: TimeScope, times: Times): boolean {
  const from = instantOfMoment(start, scope, 'start')
  const to = from && resolveMoment(end, scope.present, end.day ? undefined : from)
  if (!from || !to || to <= from) return false
  return set(times, 'start', iso(from)) && set(times, 'end', iso(to))
}

/** The end without a day is the next such time after the start. */
function takeEnd(moment: Moment, present: Present, times: Times): boolean {
  const start = times.start ? new Date(times.start) : undefined
  const end = resolveMoment(moment, present, moment.day ? undefined : start)
  return (!start || !end || end > start) && set(times, 'end', iso(end))
}

const after = (now: Date, minutes: number): string | undefined =>
  minutes > 0 ? new Date(now.getTime() + minutes * 60_000).toISOString() : undefined

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
