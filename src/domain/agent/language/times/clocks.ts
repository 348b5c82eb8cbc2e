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
  const zone = tokens[next]?.word ?? ''
  if (!Object.hasOwn(offsets, zone)) return { value: clock.value, next }
  const offset = offsets[zone]
  return offset === undefined
    ? { value: { minutes: undefined }, next: next + 1 }
    : { value: { ...clock.value, offset }, next: next + 1 }
}

function readDigits(tokens: Token[], at: number, afterAt: boolean): Read<Clock> {
  const [, hours, , minutes, glued] =
    /^(\d{1,2})(?:([:.h])(\d{2}))?(?::\d{2})?(am|pm|a|p|h|z|utc)?$/.exec(tokens[at]?.word ?? '') ?? []
  if (hours === undefined) return undefined
  const separate = glued ? undefined : tokens[at + 1]?.word
  const half =
    glued && /^[ap]/.test(glued) ? glued[0] : separate && /^(am|pm)$/.test(separate) ? separate[0] : undefined
  const next = at + (half && !glued ? 2 : 1)
  if (minutes === undefined && !half && !clearlyHour(tokens, next, afterAt, glued)) return undefined
  const value = minutesOfDay(Number(hours), Number(minutes ?? 0), half)
  const bare = !half && minutes === undefined && Number(hours) <= 12
  const offset = glued === 'z' || glued === 'utc' ? { offset: 0 } : {}
  return { value: { minutes: value, ...offset, ...(bare ? { bare } : twelve(half, hours)) }, next }
}

/** `9:30 in the evening` is moved as `9` is. */
const twelve = (half: string | undefined, hours: string) =>
  !half && Number(hours) <= 12 && !hours.startsWith('0') ? { bare: true } : {}

function clearlyHour(tokens: Token[], next: number, afterAt: boolean, glued: string | undefined): boolean {
  if (glued === 'z' || glued === 'utc') return true
  const following = tokens[next]?.word ?? ''
  return (
    (afterAt && !/^(min|mins|minutes?|days?|weeks?|hours?|hrs?|%)$/.test(following)) ||
    /^(o'clock|oclock|uhr|utc|gmt|cet|cest)$/.test(following)
  )
}

function minutesOfDay(hours: number, minutes: number, half: string | undefined): number | undefined {
  if (minutes > 59 || hours > 24 || (hours === 24 && minutes > 0)) return undefined
  if (!half) return hours * 60 + minutes
  if (hours === 0 || hours > 12) return undefined
  return ((hours % 12) + (half === 'p' ? 12 : 0)) * 60 + minutes
}

/** `noon`, `midnight`, `half past nine`, `quarter to ten`, `9 o'clock`, `ten pm`. */
function readSpoken(tokens: Token[], at: number): Read<Clock> {
  const [first, second, third] = [tokens[at]?.word, tokens[at + 1]?.word, tokens[at + 2]?.word]
  if (first === 'noon' || first === 'midday') return { value: { minutes: 720 }, next: at + 1 }
  if (first === 'midnight') return { value: { minutes: 1440 }, next: at + 1 }
  const past = first === 'half' ? 30 : first === 'quarter' ? 15 : undefined
  if (past && (second === 'past' || second === 'to' || second === 'after')) {
    const hour = numberOf(tokens[at + 2])
    if (hour === undefined || hour > 24 || hour === 0 || third === undefined) return undefined
    const half = /^(am|pm)$/.exec(tokens[at + 3]?.word ?? '')?.[0]?.[0]
    const base = minutesOfDay(hour, 0, half)
    if (base === undefined) return undefined
    return {
      value: { minutes: second === 'to' ? base - past : base + past, ...(half ? {} : { bare: true }) },
      next: at + (half ? 4 : 3),
    }
  }
  const hour = first && /^[a-z]+$/.test(first) ? numberOf(tokens[at]) : undefined
  if (hour === undefined || hour > 12 || !/^(am|pm|o'clock|oclock)$/.test(second ?? '')) return undefined
  const half = /^(am|pm)$/.test(second!) ? second![0] : undefined
  return { value: { minutes: minutesOfDay(hour, 0, half), ...(half ? {} : { bare: true }) }, next: at + (half ? 2 : 1) }
}
