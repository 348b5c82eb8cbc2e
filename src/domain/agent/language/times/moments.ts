import type { Token } from '../lexing/lexer.ts'
import { type Clock, readClock } from './clocks.ts'
import { type Day, readDay } from './days.ts'
import type { Read } from './quantities.ts'

type Part = 'morning' | 'afternoon' | 'evening' | 'night'

/** A day, a time of day, or both, as they are named. */
export interface Moment {
  day?: Day
  clock?: Clock
  part?: Part
  /** `now`, or an instant in ISO 8601. */
  instant?: 'now' | string
  /** `around ten`: not exact. */
  vague?: boolean
  /** `tomorrow from 22:00`: what follows is the beginning of a range. */
  opened?: boolean
}

const connectors = new Set([
  ',',
  'at',
  '@',
  'on',
  'around',
  'about',
  'approximately',
  'roughly',
  'from',
  'between',
  'of',
  'starting',
  'in',
  'the',
])
const inexact = new Set(['around', 'about', 'approximately', 'roughly'])

/** `tomorrow 22:00`, `22:00 on friday`, `friday evening at 8`, `in the morning`. */
export function readMoment(tokens: Token[], at: number, afterAt: boolean): Read<Moment> {
  const fixed = readInstant(tokens, at)
  if (fixed) return fixed
  const moment: Moment = {}
  let [next, end] = [at, at]
  let bare = afterAt
  for (let steps = 0; steps < 10; steps++) {
    const read = readComponent(tokens, next, moment, bare)
    if (read) {
      ;[next, end] = [read, read]
      bare = false
      continue
    }
    const word = tokens[next]?.word ?? ''
    if (!connectors.has(word) || (end === at && !inexact.has(word) && next > at + 1)) break
    bare = !['on', ',', 'of', 'in', 'the'].includes(word)
    if (inexact.has(word)) moment.vague = true
    if ((word === 'from' || word === 'between') && moment.day) moment.opened = true
    next++
  }
  if (end === at) return undefined
  applyPart(moment)
  return { value: moment, next: end }
}

function readInstant(tokens: Token[], at: number): Read<Moment> {
  const word = tokens[at]?.word ?? ''
  if (word === 'now' || word === 'immediately') return { value: { instant: 'now' }, next: at + 1 }
  if (word === 'right' && /^(now|away)$/.test(tokens[at + 1]?.word ?? ''))
    return { value: { instant: 'now' }, next: at + 2 }
  const iso = /^(\d{4}-\d\d-\d\d)t(\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?(z|[+-]\d\d:?\d\d)?$/.exec(word)
  if (!iso) return undefined
  if (iso[4]) {
    const instant = new Date(word.toUpperCase())
    return {
      value: Number.isNaN(instant.getTime()) ? { vague: true } : { instant: instant.toISOString() },
      next: at + 1,
    }
  }
  const [year, month, day] = iso[1]!.split('-').map(Number) as [number, number, number]
  const minutes = Number(iso[2]) * 60 + Number(iso[3])
  return {
    value: { day: { kind: 'date', year, month, day }, clock: { minutes: minutes < 1440 ? minutes : undefined } },
    next: at + 1,
  }
}

/** Adds a day, a part of the day or a time of day, each at most once. */
function readComponent(tokens: Token[], at: number, moment: Moment, bare: boolean): number | undefined {
  const part = readPart(tokens, at, moment)
  if (part) return part
  if (!moment.day) {
    const day = readDay(tokens, at)
    if (day) {
      moment.day = day.value
      if (tokens[at]!.word.startsWith('tonight')) moment.part = 'evening'
      return day.next
    }
  }
  if (moment.clock) return undefined
  const clock = readClock(tokens, at, bare)
  if (clock) moment.clock = clock.value
  return clock?.next
}

function readPart(tokens: Token[], at: number, moment: Moment): number | undefined {
  const first = tokens[at]?.word
  const leading = first === 'this' || first === 'last' ? 1 : first === 'in' && tokens[at + 1]?.word === 'the' ? 2 : 0
  const part = /^(morning|afternoon|evening|night)$/.exec(tokens[at + leading]?.word ?? '')?.[0] as Part | undefined
  if (!part || moment.part || (leading === 0 && !moment.day && !moment.clock)) return undefined
  if (first === 'this') moment.day = { kind: 'offset', days: 0 }
  if (first === 'last') moment.day = { kind: 'offset', days: -1 }
  moment.part = part
  return at + leading + 1
}

/** `8 in the evening` is 20:00; a part of the day that contradicts the time makes the moment vague. */
export function applyPart(moment: Moment): void {
  const { clock, part } = moment
  if (!clock || !part || clock.minutes === undefined) return
  const { minutes } = clock
  if (part === 'morning') {
    if (minutes >= 720) moment.vague = true
  } else if (minutes < 720 && clock.bare) {
    if (part === 'night' && minutes < 360) moment.vague = true
    else moment.clock = { ...clock, minutes: minutes + 720 }
  } else if (minutes < 720 && part !== 'night') moment.vague = true
  else if (minutes < 720 && moment.day) moment.vague = true
}
