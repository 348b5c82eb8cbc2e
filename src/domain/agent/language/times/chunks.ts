import type { Token } from '../lexing/lexer.ts'
import { readDay } from './days.ts'
import { readDuration, readVagueDuration } from './durations.ts'
import { applyPart, type Moment, readMoment } from './moments.ts'
import { readLongPeriod } from './periods.ts'
import { numberOf, type Read } from './quantities.ts'

type Preposition = 'at' | 'since' | 'until' | 'to' | 'from' | 'after' | 'before' | 'by' | 'for' | 'in'

export type TimeValue =
  | { kind: 'moment'; moment: Moment }
  | { kind: 'range'; start: Moment; end: Moment }
  | { kind: 'duration'; minutes: number }
  /** So many minutes from now, or before now if negative. */
  | { kind: 'relative'; minutes: number }
  /** The last or next so many minutes. */
  | { kind: 'rolling'; minutes: number; past: boolean }
  | { kind: 'period'; unit: 'week' | 'month' | 'year' | 'weekend'; which: 'this' | 'last' | 'next' }
  | { kind: 'month'; month: number; year?: number }
  | { kind: 'unclear' }

/** A phrase about time, from a token to before another. */
export interface Chunk {
  from: number
  to: number
  preposition: Preposition | undefined
  value: TimeValue
}

const prepositions: Record<string, Preposition> = {
  ...{
    at: 'at',
    '@': 'at',
    on: 'at',
    since: 'since',
    until: 'until',
    till: 'until',
    til: 'until',
    untill: 'until',
    to: 'to',
    from: 'from',
  },
  ...{
    starting: 'from',
    beginning: 'from',
    between: 'from',
    after: 'after',
    before: 'before',
    by: 'by',
    for: 'for',
    lasting: 'for',
  },
  ...{
    in: 'in',
    within: 'in',
    during: 'in',
    over: 'in',
    of: 'in',
    around: 'at',
    about: 'at',
    ends: 'until',
    ending: 'until',
    through: 'until',
  },
}
/** `to start at 05:00 and end at 07:00`. */
const edges = new Map<string, Preposition>([
  ...['start', 'starts', 'begin', 'begins'].map((word): [string, Preposition] => [word, 'from']),
  ...['end', 'ends', 'finish'].map((word): [string, Preposition] => [word, 'until']),
])
const connectors = new Set(['-', 'to', 'until', 'till', 'til', 'untill', 'through', 'and', '→'])

export function timeChunks(tokens: Token[], isTaken: (index: number) => boolean): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 0; at < tokens.length; ) {
    const chunk = isTaken(at) ? undefined : readChunk(tokens, at)
    if (chunk && !takenBetween(chunk, isTaken)) chunks.push(chunk)
    at = chunk ? chunk.to : at + 1
  }
  return chunks
}

const takenBetween = ({ from, to }: Chunk, isTaken: (index: number) => boolean) =>
  Array.from({ length: to - from }, (_one, index) => from + index).some(isTaken)

function readChunk(tokens: Token[], at: number): Chunk | undefined {
  const { preposition, next } = readPreposition(tokens, at)
  const hasPreposition = preposition !== undefined && preposition !== 'to'
  const read =
    readLongPeriod(tokens, next, hasPreposition) ??
    readRelative(tokens, next, preposition) ??
    (preposition === 'for' ? readLength(tokens, next, preposition) : undefined) ??
    readRange(tokens, next, preposition, tokens[at]?.word) ??
    readLength(tokens, next, preposition)
  return read && { from: at, to: read.next, preposition, value: read.value }
}

function readPreposition(tokens: Token[], at: number): { preposition: Preposition | undefined; next: number } {
  const word = tokens[at]?.word ?? ''
  const edge = at > 0 && /^(at|on|from|by)$/.test(tokens[at + 1]?.word ?? '') ? edges.get(word) : undefined
  if (edge) return { preposition: edge, next: at + 2 }
  if (!Object.hasOwn(prepositions, word)) return { preposition: undefined, next: at }
  const second = tokens[at + 1]?.word ?? ''
  // `starting from`, `from about`, `up until`: the first one with a meaning counts.
  const next =
    Object.hasOwn(prepositions, second) && ['at', 'from', 'on', 'in', 'for', 'until'].includes(second) ? at + 2 : at + 1
  return { preposition: prepositions[word], next }
}

/** `in 30 minutes`, `two hours ago`, `an hour from now`. Whole days are days, which moments read. */
function readRelative(tokens: Token[], at: number, preposition: Preposition | undefined): Read<TimeValue> {
  const duration = readDuration(tokens, at)
  if (!duration) return undefined
  const exact = duration.value % 1440 !== 0
  const following = tokens[duration.next]?.word
  if (following === 'ago' && exact)
    return { value: { kind: 'relative', minutes: -duration.value }, next: duration.next + 1 }
  const fromNow = following === 'from' && tokens[duration.next + 1]?.word === 'now'
  if (fromNow && exact) return { value: { kind: 'relative', minutes: duration.value }, next: duration.next + 2 }
  const within = preposition === 'in' && /^(in)$/.test(tokens[at - 1]?.word ?? '')
  const time = within && tokens[duration.next]?.word === 'time' ? 1 : 0
  return within && exact
    ? { value: { kind: 'relative', minutes: duration.value }, next: duration.next + time }
    : undefined
}

/** A moment, or two with a connector between them. */
function readRange(
  tokens: Token[],
  at: number,
  preposition: Preposition | undefined,
  first: string | undefined,
): Read<TimeValue> {
  const afterAt = preposition !== undefined && !['for', 'to', 'in', 'by'].includes(preposition) && first !== 'on'
  // `in two days` is read with its preposition.
  const start = preposition === 'in' && first === 'in' ? at - 1 : at
  const from =
    readMoment(tokens, start, afterAt && start === at) ?? (start === at ? undefined : readMoment(tokens, at, false))
  if (!from) return undefined
  const connector = tokens[from.next]?.word ?? ''
  const between = first === 'between' || from.value.opened
  if (connectors.has(connector) && (connector !== 'and' || between)) {
    const to = readMoment(tokens, from.next + 1, true) ?? sameMonth(tokens, from.next + 1, from.value)
    if (to && !(to.value.instant === 'now' && connector === '-')) {
      const zoned = sameZone(from.value, to.value)
      const start = readDay(tokens, from.next + 1) ? zoned : sameDay(zoned, to.value)
      return {
        value: { kind: 'range', start: sameHalf(start, to.value), end: sameEvening(start, to.value) },
        next: to.next,
      }
    }
  }
  return { value: { kind: 'moment', moment: from.value }, next: from.next }
}

/** `from 22:00 to 23:00 tomorrow`: the day behind both times is the day of both. */
function sameDay(start: Moment, { day, clock, part }: Moment): Moment {
  if (!start.clock || start.day || !day || !clock) return start
  const moment: Moment = { ...start, day, ...(part && !start.part ? { part } : {}) }
  applyPart(moment)
  return moment
}

/** `10:00-12:00 UTC`: the zone behind both times is the zone of both. */
function sameZone(start: Moment, { clock }: Moment): Moment {
  if (!start.clock || start.clock.offset !== undefined || clock?.offset === undefined) return start
  return { ...start, clock: { ...start.clock, offset: clock.offset } }
}

/** `march 1 to 5`. */
function sameMonth(tokens: Token[], at: number, { day, clock }: Moment): Read<Moment> {
  const number = numberOf(tokens[at])
  if (clock || day?.kind !== 'date' || number === undefined) return undefined
  return { value: { day: { ...day, day: number } }, next: at + 1 }
}

/** `tonight from 10 to 11:30`: the end is in the same half of the day, unless it would be before the start. */
function sameEvening({ part, clock: start }: Moment, end: Moment): Moment {
  const { clock } = end
  if (!part || part === 'morning' || end.day || end.part || !clock?.bare || clock.minutes === undefined) return end
  const later = clock.minutes + 720
  const isInside = clock.minutes < 720 && start?.minutes !== undefined && later > start.minutes
  return isInside ? { ...end, clock: { ...clock, minutes: later } } : end
}

/** `9 to 11 pm`: the first hour is in the same half of the day, unless the range would end before it starts. */
function sameHalf(start: Moment, end: Moment): Moment {
  const { clock } = start
  if (clock?.minutes === undefined || !clock.bare || end.clock?.bare || end.clock?.minutes === undefined) return start
  const later = clock.minutes + 720
  return clock.minutes < 720 && later < end.clock.minutes
    ? { ...start, clock: { ...clock, bare: false, minutes: later } }
    : start
}

function readLength(tokens: Token[], at: number, preposition: Preposition | undefined): Read<TimeValue> {
  const duration = readDuration(tokens, at)
  if (duration) return { value: { kind: 'duration', minutes: duration.value }, next: duration.next }
  const vague = preposition === 'for' || preposition === 'in' ? readVagueDuration(tokens, at) : undefined
  return vague && { value: { kind: 'unclear' }, next: vague.next }
}
