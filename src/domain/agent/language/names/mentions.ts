import type { Token } from '../lexing/lexer.ts'
import { functionWords } from '../words/function-words.ts'
import type { Name, NameIndex } from './name-index.ts'
import { wordsOf } from './name-index.ts'

/** Words of a query, from a token to before another, that name a record wholly or in part. */
export interface Mention {
  name: Name
  from: number
  to: number
  /** How much of the name the words cover, at most 1; typing errors cost a little. */
  score: number
  full: boolean
}

const LONGEST = 6
const TYPO = 0.95

interface Word {
  at: number
  /** The words of the token in the singular: `payments-api` has two. */
  parts: string[]
  functional: boolean
  number: boolean
}

/** At most this many are kept, so that the cost of what follows is bounded. */
const MOST = 300

export function findMentions(tokens: Token[], index: NameIndex, isVocabulary: (at: number) => boolean): Mention[] {
  const words = tokens.map(wordOf)
  const found = new Map<Name, Mention[]>()
  for (let at = 0; at < words.length; at++) {
    if (!words[at]) continue
    for (const mention of [...fullMentions(words, at, index), ...partialMentions(words, at, index, isVocabulary)]) {
      const known = found.get(mention.name) ?? []
      const same = known.find((one) => one.from <= mention.to && mention.from <= one.to)
      if (!same) found.set(mention.name, [...known, mention])
      else if (mention.score > same.score) Object.assign(same, mention)
    }
  }
  const all = [...found.values()].flat().filter((mention) => !isFunctional(mention, tokens))
  return all.length <= MOST
    ? all
    : all.sort((a, b) => Number(b.full) - Number(a.full) || b.score - a.score).slice(0, MOST)
}

/** An item "AT" is not the word "at". */
const isFunctional = ({ from, to }: Mention, tokens: Token[]) =>
  tokens.slice(from, to).every(({ word, text }) => functionWords.has(word) && !isUpperCase(text))

export const isUpperCase = (text: string) => text === text.toUpperCase() && text !== text.toLowerCase()

function wordOf(token: Token, at: number): Word | undefined {
  if (token.kind !== 'word' && token.kind !== 'number') return undefined
  const word = token.word.replace(/'s?$/, '')
  const parts = wordsOf(word)
  return parts.length > 0
    ? { at, parts, functional: functionWords.has(word), number: token.kind === 'number' }
    : undefined
}

/** The words from here on that are a whole name, the longest first. */
function fullMentions(words: (Word | undefined)[], at: number, index: NameIndex): Mention[] {
  const mentions: Mention[] = []
  let letters = ''
  for (let length = 1; length <= LONGEST; length++) {
    const word = words[at + length - 1]
    if (!word) break
    letters += word.parts.join('')
    for (const name of index.called(letters)) mentions.push({ name, from: at, to: at + length, score: 1, full: true })
    if (mentions.length > 0 || !comparable(words.slice(at, at + length) as Word[], letters)) continue
    const nearest = index.nearestLetters(letters)
    if (!nearest) continue
    for (const name of index.called(nearest))
      mentions.push({ name, from: at, to: at + length, score: TYPO, full: true })
  }
  return mentions
}

const comparable = (words: Word[], letters: string) =>
  words.length <= 4 &&
  letters.length <= 60 &&
  !words[0]!.functional &&
  !words.at(-1)!.functional &&
  !words.some((word) => word.number)

/** A word of a name, with the other words of the same name around it. */
function partialMentions(
  words: (Word | undefined)[],
  at: number,
  index: NameIndex,
  isVocabulary: (at: number) => boolean,
): Mention[] {
  const word = words[at]!
  if (word.functional || (word.number && word.parts.length === 1)) return []
  const joined = words[at + 1] && !words[at + 1]!.functional ? [...word.parts, ...words[at + 1]!.parts].join('') : ''
  const key = word.parts.find((part) => index.having(part).length > 0)
  if (key) return index.having(key).map((name) => extend(words, at, at + 1, key, name, 1))
  if (joined && index.having(joined).length > 0)
    return index.having(joined).map((name) => extend(words, at, at + 2, joined, name, 1))
  if (word.parts.some((part) => index.isCommon(part)) || isVocabulary(at)) return []
  const near = word.parts.length === 1 ? index.nearestWord(word.parts[0]!) : undefined
  return near ? index.having(near).map((name) => extend(words, at, at + 1, near, name, TYPO)) : []
}

/** The mention with the neighbouring words that belong to the same name. */
function extend(
  words: (Word | undefined)[],
  from: number,
  to: number,
  key: string,
  name: Name,
  quality: number,
): Mention {
  const open = new Map<string, number>()
  name.words.forEach((word, index) => {
    open.set(word, name.weights[index]!)
  })
  let covered = take(open, key)
  for (const part of words[from]!.parts) covered += take(open, part)
  const grow = (at: number): boolean => {
    const gained = words[at]?.parts.reduce((sum, part) => sum + take(open, part), 0) ?? 0
    covered += gained
    return gained > 0
  }
  while (open.size > 0 && grow(to)) to++
  while (open.size > 0 && grow(from - 1)) from--
  const score = Math.min(1, covered / name.total) * quality
  return { name, from, to, score, full: open.size === 0 }
}

function take(open: Map<string, number>, word: string): number {
  const weight = open.get(word) ?? 0
  open.delete(word)
  return weight
}
