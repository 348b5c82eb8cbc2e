import { expand } from './contractions.ts'

export interface Token {
  kind: 'word' | 'number' | 'quote' | 'code' | 'mark'
  /** As it is written; the content of quotes and code. */
  text: string
  /** In lower case, without accents; the character of a mark, `\n` for a new line. */
  word: string
  start: number
  end: number
}

/** What the planner never reads as words: mentions and links of a chat, names of emoji, lines that quote another message. */
const skipped = [
  /<[@#!][^<>\s]{1,80}(?:\|[^<>]{0,80})?>/y,
  /<https?:[^<>\s]{1,500}>|https?:\/\/[^\s<>]{1,500}/y,
  /@[\p{L}\p{N}_.-]{1,80}/uy,
  /:[a-z0-9_+-]{2,40}:/y,
]
const quotedLine = /[ \t]*(?:>|&gt;)[^\n]*/y
const fenced = /```[\s\S]*?(?:```|$)/y
const inline = /`([^`\n]+)`/y
const isoMoment = /\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\p{L}\d])/uy
const meridiem = /[ap]\.m\.?(?![p{L}\d])/iy
/** `UTC+2`, `GMT-03:30`. */
const zone = /(?:utc|gmt)[+-]\d{1,2}(?::?\d{2})?(?![\p{L}\d])/iuy
const number = /\d[\p{L}\d]*(?:[.:/]\d[\p{L}\d]*)*/uy
const word = /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:(?:['’&-](?=[\p{L}\p{N}])|\.(?=[\p{Ll}\p{N}]))[\p{L}\p{M}\p{N}_]+)*/uy
const mark = /[.?!;:,\n()–—→-]/y

/** The closing character of each opening one. A single quote opens only before a word and closes only after one. */
const closing: Record<string, string> = { '"': '"', '“': '”', '„': '“”', '«': '»', '‹': '›', '‘': '’', "'": "'" }

export function lex(query: string): Token[] {
  const tokens: Token[] = []
  const unclosed = new Set<string>()
  let at = 0
  while (at < query.length) {
    at = readToken(query, at, tokens, unclosed)
  }
  return tokens
}

/** Adds what begins at a position, and returns the position after it. */
function readToken(query: string, at: number, tokens: Token[], unclosed: Set<string>): number {
  const opaque = readOpaque(query, at, tokens, unclosed)
  if (opaque) return opaque
  for (const pattern of [isoMoment, number]) {
    const text = match(pattern, query, at)
    if (text) return push(tokens, { kind: 'number', text, word: text.toLowerCase() }, at, at + text.length)
  }
  const halfOfDay = match(meridiem, query, at)
  if (halfOfDay) {
    return push(
      tokens,
      { kind: 'word', text: halfOfDay, word: `${halfOfDay[0]!.toLowerCase()}m` },
      at,
      at + halfOfDay.length,
    )
  }
  const offset = match(zone, query, at)
  if (offset) return push(tokens, { kind: 'word', text: offset, word: offset.toLowerCase() }, at, at + offset.length)
  const letters = match(word, query, at)
  if (letters) {
    for (const part of expand(plain(letters))) {
      push(tokens, { kind: /^\d/.test(part) ? 'number' : 'word', text: letters, word: part }, at, at + letters.length)
    }
    return at + letters.length
  }
  const sign = match(mark, query, at)
  if (sign) push(tokens, { kind: 'mark', text: sign, word: sign === '—' || sign === '–' ? '-' : sign }, at, at + 1)
  return at + 1
}

/** Quotes, code and what is skipped. */
function readOpaque(query: string, at: number, tokens: Token[], unclosed: Set<string>): number | undefined {
  if (at === 0 || query[at - 1] === '\n') {
    const line = match(quotedLine, query, at)
    if (line) return push(tokens, { kind: 'code', text: line, word: '' }, at, at + line.length)
  }
  for (const pattern of skipped) {
    const text = match(pattern, query, at)
    if (text) return at + text.length
  }
  const code =
    match(fenced, query, at) ?? match(inline, query, at) ?? (query[at] === '{' ? payload(query, at) : undefined)
  if (code) return push(tokens, { kind: 'code', text: code.replace(/^`+|`+$/g, ''), word: '' }, at, at + code.length)
  const end = quoteEnd(query, at, unclosed)
  if (end === undefined) return undefined
  return push(tokens, { kind: 'quote', text: query.slice(at + 1, end).trim(), word: '' }, at, end + 1)
}

/** A JSON object, to its last bracket or to the end of the query. */
function payload(query: string, at: number): string {
  let depth = 0
  for (let index = at; index < query.length; index++) {
    if (query[index] === '{') depth++
    if (query[index] === '}' && --depth === 0) return query.slice(at, index + 1)
  }
  return query.slice(at)
}

function quoteEnd(query: string, at: number, unclosed: Set<string>): number | undefined {
  const open = query[at]!
  const closers = closing[open]
  if (!closers || unclosed.has(open)) return undefined
  const single = open === "'" || open === '‘'
  if (single && (isLetter(query[at - 1]) || !isLetter(query[at + 1]))) return undefined
  for (let index = at + 1; index < query.length; index++) {
    if (closers.includes(query[index]!) && !(single && isLetter(query[index + 1]))) return index
  }
  unclosed.add(open)
  return undefined
}

const isLetter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

function push(tokens: Token[], token: Omit<Token, 'start' | 'end'>, start: number, end: number): number {
  tokens.push({ ...token, start, end })
  return end
}

/** Lower case, without accents, with straight apostrophes. */
export const plain = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/[’‘]/g, "'").toLowerCase()
