import type { Token } from '../lexing/lexer.ts'
import { isArticle, numberOf, type Read, unitAt } from './quantities.ts'

/** A day as it is named. What names no day exactly is vague. */
export type Day =
  | { kind: 'offset'; days: number }
  | { kind: 'weekday'; weekday: number; which?: Which }
  | { kind: 'date'; year?: number; month: number; day: number }
  | { kind: 'dayOfMonth'; day: number }
  | { kind: 'vague' }

type Which = 'this' | 'next' | 'last' | 'nextWeek' | 'lastWeek'

const weekdays = 'sun mon tue wed thu fri sat'.split(' ')
const weekdayPattern =
  /^(?:(sun|mon|fri)(?:days?)?|(tue)(?:s|sdays?)?|(wed)(?:nesdays?|s)?|(thu)(?:r|rs|rsdays?)?|(sat)(?:urdays?)?)$/
const misspelled: Record<string, number> = {
  wensday: 3,
  wednsday: 3,
  wedensday: 3,
  thrusday: 4,
  thurday: 4,
  tuseday: 2,
  teusday: 2,
  firday: 5,
  saterday: 6,
}
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const monthPattern =
  /^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)(?:uary|ruary|urary|ch|il|e|y|ust|t|tember|ober|ember)?$/

export function weekdayOf(token: Token | undefined): number | undefined {
  const word = token?.word.replace(/'s$/, '') ?? ''
  const found = weekdayPattern.exec(word)?.slice(1).find(Boolean)
  return found ? weekdays.indexOf(found) : Object.hasOwn(misspelled, word) ? misspelled[word] : undefined
}

export function monthOf(token: Token | undefined): number | undefined {
  const found = monthPattern.exec(token?.word.replace(/'s$/, '') ?? '')?.[1]
  return found ? months.indexOf(found) + 1 : undefined
}

const offsets: Record<string, number> = {
  today: 0,
  tonight: 0,
  tomorrow: 1,
  tommorow: 1,
  tomorow: 1,
  tommorrow: 1,
  tmrw: 1,
  tmr: 1,
  yesterday: -1,
  overmorrow: 2,
}

export function readDay(tokens: Token[], at: number): Read<Day> {
  const word = tokens[at]?.word.replace(/'s$/, '') ?? ''
  if (Object.hasOwn(offsets, word)) return { value: { kind: 'offset', days: offsets[word]! }, next: at + 1 }
  return readAround(tokens, at) ?? readWeekday(tokens, at) ?? readDate(tokens, at) ?? readCounted(tokens, at)
}

/** `the day after tomorrow`, `the day before yesterday`. */
function readAround(tokens: Token[], at: number): Read<Day> {
  const start = tokens[at]?.word === 'the' ? at + 1 : at
  const [day, side, other] = [0, 1, 2].map((index) => tokens[start + index]?.word)
  if (day !== 'day') return undefined
  if (side === 'after' && other === 'tomorrow') return { value: { kind: 'offset', days: 2 }, next: start + 3 }
  if (side === 'before' && other === 'yesterday') return { value: { kind: 'offset', days: -2 }, next: start + 3 }
  return undefined
}

function readWeekday(tokens: Token[], at: number): Read<Day> {
  const leading = readWeek(tokens, at)
  const named = leading && weekdayOf(tokens[leading.next + (tokens[leading.next]?.word === 'on' ? 1 : 0)])
  if (leading && named !== undefined) {
    const next = leading.next + (tokens[leading.next]?.word === 'on' ? 2 : 1)
    return { value: { kind: 'weekday', weekday: named, which: leading.value }, next }
  }
  const which = /^(this|next|last|coming|past)$/.exec(tokens[at]?.word ?? '')?.[0]
  const position = which ? at + 1 : at
  const weekday = weekdayOf(tokens[position])
  if (weekday === undefined) return undefined
  const whichOne = which === 'coming' ? undefined : which === 'past' ? 'last' : (which as Which | undefined)
  const week = readWeek(tokens, position + 1)
  if (week && !which) return { value: { kind: 'weekday', weekday, which: week.value }, next: week.next }
  return { value: { kind: 'weekday', weekday, ...(whichOne ? { which: whichOne } : {}) }, next: position + 1 }
}

/** `next week` behind a weekday: the weekday of that week. */
function readWeek(tokens: Token[], at: number): Read<Which> {
  const [which, week] = [tokens[at]?.word, tokens[at + 1]?.word]
  if (week !== 'week' || (which !== 'next' && which !== 'last')) return undefined
  return { value: which === 'next' ? 'nextWeek' : 'lastWeek', next: at + 2 }
}

/** `march 14`, `14th of march 2028`, `2027-03-14`, `14.03.2027`, `the 14th`. */
function readDate(tokens: Token[], at: number): Read<Day> {
  const written = readWritten(tokens[at]?.word ?? '')
  if (written) return { value: written, next: at + 1 }
  const start = tokens[at]?.word === 'the' ? at + 1 : at
  const month = monthOf(tokens[start])
  if (month) {
    const number = start + (tokens[start + 1]?.word === 'the' ? 2 : 1)
    const day = dayNumber(tokens[number])
    return day === undefined ? undefined : withYear(tokens, number + 1, month, day)
  }
  const day = dayNumber(tokens[start])
  if (day === undefined) return undefined
  const of = tokens[start + 1]?.word === 'of' ? start + 2 : start + 1
  const named = monthOf(tokens[of])
  if (named) return withYear(tokens, of + 1, named, day)
  const ordinal = /\d(st|nd|rd|th)$/.test(tokens[start]!.word)
  return ordinal ? { value: { kind: 'dayOfMonth', day }, next: start + 1 } : undefined
}

function readWritten(word: string): Day | undefined {
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(word)
  if (iso) return { kind: 'date', year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(word)
  if (dotted) return { kind: 'date', year: Number(dotted[3]), month: Number(dotted[2]), day: Number(dotted[1]) }
  const slashed = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{4}))?$/.exec(word)
  if (!slashed) return undefined
  const [first, second, year] = [Number(slashed[1]), Number(slashed[2]), slashed[3] ? { year: Number(slashed[3]) } : {}]
  if (first === second) return { kind: 'date', ...year, month: first, day: second }
  // Both orders are in use, so only a number above twelve says which one is the day.
  if (first > 12 === second > 12) return { kind: 'vague' }
  return { kind: 'date', ...year, month: Math.min(first, second), day: Math.max(first, second) }
}

function withYear(tokens: Token[], at: number, month: number, day: number): Read<Day> {
  const comma = tokens[at]?.word === ',' ? 1 : 0
  const year = /^20\d\d$/.exec(tokens[at + comma]?.word ?? '')
  return year
    ? { value: { kind: 'date', year: Number(year[0]), month, day }, next: at + comma + 1 }
    : { value: { kind: 'date', month, day }, next: at }
}

function dayNumber(token: Token | undefined): number | undefined {
  const digits = /^(\d{1,2})(st|nd|rd|th)?$/.exec(token?.word ?? '')
  return digits ? Number(digits[1]) : undefined
}

/** `in two days`, `three days ago`, `in a week`: days, not hours. */
function readCounted(tokens: Token[], at: number): Read<Day> {
  const ahead = tokens[at]?.word === 'in'
  const position = ahead ? at + 1 : at
  const count = isArticle(tokens[position]) ? 1 : numberOf(tokens[position])
  const unit = unitAt(tokens[position + 1])
  if (count === undefined || !unit || unit < 1440) return undefined
  const days = count * (unit / 1440)
  const following = tokens[position + 2]?.word
  if (following === 'ago') return { value: { kind: 'offset', days: -days }, next: position + 3 }
  if (following === 'from' && tokens[position + 3]?.word === 'now')
    return { value: { kind: 'offset', days }, next: position + 4 }
  return ahead ? { value: { kind: 'offset', days }, next: position + 2 } : undefined
}
