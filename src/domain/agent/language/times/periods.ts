import type { Token } from '../lexing/lexer.ts'
import type { TimeValue } from './chunks.ts'
import { monthOf, weekdayOf } from './days.ts'
import { readDuration, readVagueDuration } from './durations.ts'
import { numberOf, type Read } from './quantities.ts'

const unitMinutes: Record<string, number> = {
  minute: 1,
  hour: 60,
  day: 1440,
  week: 10080,
  month: 43200,
  quarter: 129600,
  year: 525600,
}

/** `the last 30 days`, `past week`, `the next two hours`. */
function readRolling(tokens: Token[], at: number): Read<TimeValue> {
  const article = tokens[at]?.word === 'the' ? 1 : 0
  const which = tokens[at + article]?.word ?? ''
  if (!/^(last|past|previous|next|coming|following)$/.test(which)) return undefined
  const past = /^(last|past|previous)$/.test(which)
  const start = at + article + 1
  const count = numberOf(tokens[start])
  const months = count === undefined ? undefined : unitMinutes[tokens[start + 1]?.word.replace(/s$/, '') ?? '']
  if (months) return { value: { kind: 'rolling', minutes: count! * months, past }, next: start + 2 }
  const duration = readDuration(tokens, start)
  if (duration) return { value: { kind: 'rolling', minutes: duration.value, past }, next: duration.next }
  const vague = readVagueDuration(tokens, start)
  if (vague) return { value: { kind: 'unclear' }, next: vague.next }
  const unit = unitMinutes[tokens[start]?.word ?? '']
  const rolls = article > 0 || which === 'past' || tokens[start]?.word === 'hour'
  return unit && rolls ? { value: { kind: 'rolling', minutes: unit, past }, next: start + 1 } : undefined
}

const which: Record<string, 'this' | 'last' | 'next'> = {
  ...{ this: 'this', current: 'this', last: 'last', previous: 'last', next: 'next', coming: 'next' },
}

/** `this week`, `last month`, `the weekend`. */
function readPeriod(tokens: Token[], at: number): Read<TimeValue> {
  const article = tokens[at]?.word === 'the' ? 1 : 0
  const first = tokens[at + article]?.word ?? ''
  const named = Object.hasOwn(which, first) ? which[first] : undefined
  const position = at + article + (named ? 1 : 0)
  const unit = /^(week|month|year|weekend)$/.exec(tokens[position]?.word.replace(/'s$/, '') ?? '')?.[0]
  if (!unit || (!named && !(unit === 'weekend' && article))) return undefined
  // "Next week Monday" is a day.
  if (weekdayOf(tokens[position + 1]) !== undefined) return undefined
  return { value: { kind: 'period', unit: unit as 'week', which: named ?? 'this' }, next: position + 1 }
}

/** `february 2027`, behind a preposition. */
function readMonth(tokens: Token[], at: number): Read<TimeValue> {
  const month = monthOf(tokens[at])
  const following = tokens[at + 1]?.word ?? ''
  if (!month || /^(\d{1,2}(st|nd|rd|th)?|the)$/.test(following)) return undefined
  const year = /^20\d\d$/.test(following) ? { year: Number(following) } : {}
  return { value: { kind: 'month', month, ...year }, next: at + ('year' in year ? 2 : 1) }
}

export const readLongPeriod = (tokens: Token[], at: number, hasPreposition: boolean): Read<TimeValue> =>
  readRolling(tokens, at) ?? readPeriod(tokens, at) ?? (hasPreposition ? readMonth(tokens, at) : undefined)
