import type { Token } from '../lexing/lexer.ts'
import { numberOf, type Read } from './quantities.ts'

/** A time of day: minutes after midnight, and the offset of a zone that was named, in minutes. An impossible one has no minutes. */
export interface Clock {
  minutes: number | undefined
  offset?: number
  /** Written without minutes and without am or pm, so that a part of the day may move it to the afternoon. */
  bare?: boolean
}

const offsets: Record<string, number | undefined> = {
  ...{ utc: 0, gmt: 0, z: 0, wet: 0, cet: 60, cest: 120, eet: 120, eest: 180 },
  ...{
    est: -300,
    edt: -240,
    mst: -420,
    mdt: -360,
    pst: -480,
    pdt: -420,
    bst: undefined,
    ist: undefined,
    cst: undefined,
    jst: 540,
  },
}

/** A time of day. After `at`, a number alone is an hour; without it only what cannot be anything else is read. */
export function readClock(tokens: Token[], at: number, afterAt: boolean): Read<Clock> {
  const clock = readSpoken(tokens, at) ?? readDigits(tokens, at, afterAt)
  if (!clock) return undefined
  let next = clock.next
  if (/^(sharp|o'clock|oclock|hours|hrs|h|uhr)$/.test(tokens[next]?.word ?? '') && clock.value.minutes !== undefined)
    next++
  const zone = readZone(tokens, next)
  if (!zone) return { value: clock.value, next }
  return zone.value === undefined
    ? { value: { minutes: undefined }, next: zone.next }
    : { value: { ...clock.value, offset: zone.value }, next: zone.next }
}

/** The zone behind a time of day; without a value if the words name a zone whose offset is not sure. */
function readZone(tokens: Token[], at: number): { value: number | undefined; next: number } | undefined {
  const { word = '', text = '' } = tokens[at] ?? {}
  if (Object.hasOwn(offsets, word)) return { value: offsets[word], next: at + 1 }
  const [, sign, hours, minutes = '0'] = /^(?:utc|gmt)([+-])(\d{1,2}):?(\d{2})?$/.exec(word) ?? []
  if (hours !== undefined) {
    const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
    return { value: Math.abs(offset) <= 14 * 60 ? offset : undefined, next: at + 1 }
  }
  const isName = /^[A-Z]{1,3}T$/.test(text) || /^(et|ct|mt|pt|msk|eastern|pacific)$/.test(word)
  const isTime = /^[a-z]+$/.test(word) && word !== 'this' && tokens[at + 1]?.word === 'time'
  if (isTime) return { value: undefined, next: at + 2 }
  return isName ? { value: undefined, next: at + 1 } : undefined
}

function readDigits(tokens: Token[], at: number, afterAt: boolean): Read<Clock> {
  const [, hours, sign, minutes, glued] =
    /^(\d{1,2})(?:([:.h])(\d{2}))?(?::\d{2})?(am|pm|a|p|h|z|utc)?$/.exec(tokens[at]?.word ?? '') ?? []
  if (hours === undefined || (sign === '.' && isUnit(tokens[at + 1]))) return undefined
  const half = /^[ap]/.exec(glued ?? '')?.[0] ?? (glued ? undefined : halfOf(tokens[at + 1]))
  const next = at + (half && !glued ? 2 : 1)
  if (minutes === undefined && !half && !clearlyHour(tokens, next, afterAt, glued)) return undefined
  const value = minutesOfDay(Number(hours), Number(minutes ?? 0), half)
  const offset = glued === 'z' || glued === 'utc' ? { offset: 0 } : {}
  return { value: { minutes: value, ...offset, ...movable(half, hours) }, next }
}

const halfOf = (token: Token | undefined): string | undefined => /^(am|pm)$/.exec(token?.word ?? '')?.[0][0]
const isUnit = (token: Token | undefined) => /^(min|mins|minutes?|days?|weeks?|hours?|hrs?)$/.test(token?.word ?? '')

/** `9:30 in the evening` is moved as `9` is. */
const movable = (half: string | undefined, hours: string) =>
  !half && Number(hours) <= 12 && !hours.startsWith('0') ? { bare: true } : {}

function clearlyHour(tokens: Token[], next: number, afterAt: boolean, glued: string | undefined): boolean {
  if (glued === 'z' || glued === 'utc') return true
  const following = tokens[next]?.word ?? ''
  return (
    (afterAt && following !== '%' && !isUnit(tokens[next])) || /^(o'clock|oclock|uhr|utc|gmt|cet|cest)$/.test(following)
  )
}

function minutesOfDay(hours: number, minutes: number, half: string | undefined): number | undefined {
  if (minutes > 59 || hours > 24 || (hours === 24 && minutes > 0)) return undefined
  if (!half) return hours * 60 + minutes
  if (hours === 0 || hours > 12) return undefined
  return ((hours % 12) + (half === 'p' ? 12 : 0)) * 60 + minutes
}

const named: Record<string, number> = { noon: 720, midday: 720, midnight: 1440 }

/** `noon`, `midnight`, `half past nine`, `quarter to ten`, `9 o'clock`, `ten pm`. */
function readSpoken(tokens: Token[], at: number): Read<Clock> {
  const word = tokens[at]?.word ?? ''
  if (Object.hasOwn(named, word)) return { value: { minutes: named[word] }, next: at + 1 }
  return readQuarter(tokens, at) ?? readHourWord(tokens, at)
}

const quarters: Record<string, number> = { 'half past': 30, 'quarter past': 15, 'quarter to': -15 }

function readQuarter(tokens: Token[], at: number): Read<Clock> {
  const words = `${tokens[at]?.word} ${tokens[at + 1]?.word}`
  const shift = Object.hasOwn(quarters, words) ? quarters[words] : undefined
  const hour = numberOf(tokens[at + 2])
  if (shift === undefined || hour === undefined || hour > 24 || hour === 0) return undefined
  const half = halfOf(tokens[at + 3])
  const base = minutesOfDay(hour, 0, half)
  return base === undefined
    ? undefined
    : { value: { minutes: base + shift, ...(half ? {} : { bare: true }) }, next: at + (half ? 4 : 3) }
}

function readHourWord(tokens: Token[], at: number): Read<Clock> {
  const hour = /^[a-z]+$/.test(tokens[at]?.word ?? '') ? numberOf(tokens[at]) : undefined
  const following = tokens[at + 1]
  const half = halfOf(following)
  if (hour === undefined || hour > 12 || !(half || /^o'?clock$/.test(following?.word ?? ''))) return undefined
  return { value: { minutes: minutesOfDay(hour, 0, half), ...(half ? {} : { bare: true }) }, next: at + (half ? 2 : 1) }
}
