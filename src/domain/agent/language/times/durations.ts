import type { Token } from '../lexing/lexer.ts'
import { isArticle, type Read, readQuantity, unitAt } from './quantities.ts'

/** A length of time in minutes: `two hours`, `1h30`, `half an hour`, `an hour and a half`, `90 min`, `1 hour and 30 minutes`. */
export function readDuration(tokens: Token[], at: number): Read<number> {
  const first = readPart(tokens, at)
  if (!first) return undefined
  const joined = tokens[first.next]?.word === 'and' ? first.next + 1 : first.next
  if (joined > first.next && isArticle(tokens[joined]) && tokens[joined + 1]?.word === 'half') {
    return { value: first.value + unitBefore(tokens, first.next) / 2, next: joined + 2 }
  }
  const second = readPart(tokens, joined)
  return second && second.value < first.value ? { value: first.value + second.value, next: second.next } : first
}

function readPart(tokens: Token[], at: number): Read<number> {
  const glued = /^(\d{1,5}(?:\.\d{1,2})?)(m|min|mins|h|hr|hrs|d|w)(?:(\d{1,2})(m|min|mins)?)?$/.exec(
    tokens[at]?.word ?? '',
  )
  if (glued) {
    const unit = unitAt({ word: glued[2]! } as Token)!
    return whole(Number(glued[1]) * unit + Number(glued[3] ?? 0), at + 1)
  }
  if (tokens[at]?.word === 'quarter' || (isArticle(tokens[at]) && tokens[at + 1]?.word === 'quarter')) {
    const of = tokens.slice(at, at + 5).findIndex(({ word }) => word === 'hour')
    return of > 0 ? { value: 15, next: at + of + 1 } : undefined
  }
  const quantity = readQuantity(tokens, at)
  if (!quantity) return undefined
  const dash = tokens[quantity.next]?.word === '-' ? 1 : 0
  const unit = unitAt(tokens[quantity.next + dash])
  if (!unit) return undefined
  return whole(quantity.value * unit, quantity.next + dash + 1)
}

const whole = (value: number, next: number): Read<number> =>
  Number.isInteger(value) && value > 0 && value <= 5_256_000 ? { value, next } : undefined

const unitBefore = (tokens: Token[], end: number) => unitAt(tokens[end - 1]) ?? 60

const inexact = new Set('while bit few couple some several moment long many'.split(' '))

/** `a while`, `a couple of hours`, `the rest of the day`: a length of time that cannot be read exactly. */
export function readVagueDuration(tokens: Token[], at: number): Read<undefined> {
  let next = at
  while (isArticle(tokens[next]) || tokens[next]?.word === 'the') next++
  const word = tokens[next]?.word ?? ''
  if (word === 'rest' && tokens[next + 1]?.word === 'of') {
    next += tokens[next + 2]?.word === 'the' ? 3 : 2
    return { value: undefined, next: next + 1 }
  }
  if (!inexact.has(word)) return undefined
  next++
  if (tokens[next]?.word === 'of') next++
  if (tokens[next]?.word === 'more') next++
  if (unitAt(tokens[next])) return { value: undefined, next: next + 1 }
  return word === 'while' || word === 'bit' || word === 'moment' || word === 'long'
    ? { value: undefined, next }
    : undefined
}
