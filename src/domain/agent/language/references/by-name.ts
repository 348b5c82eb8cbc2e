import type { Mention } from '../names/mentions.ts'
import { wordsOf } from '../names/name-index.ts'
import { positionsOf, writtenWords } from '../text.ts'
import { functionWords } from '../words/function-words.ts'
import { foundOf, inStates, unknownRecord } from './found.ts'
import { isDefiniteAt, isIndefiniteAt, isSingularAt, nounsOf, type Reference, type Search } from './search.ts'

const LONGEST_QUOTE = 80

/** A name in quotes or code; or quotes behind a noun, which are a name even if no record has it. */
export function byQuote({ text, clause, kinds, nouns }: Search): Reference | undefined {
  for (const at of clause.words) {
    const token = text.tokens[at]!
    if (token.kind !== 'quote' && token.kind !== 'code') continue
    const named = namesLike(text.index, token.text).filter(({ kind }) => kinds.includes(kind))
    const neighbours = nouns.filter((noun) => Math.abs(noun - at) === 1)
    if (named.length > 0) return { found: foundOf(token.text, named), used: [at, ...neighbours], strength: 4 }
    const isObject = token.kind === 'quote' && nouns.includes(at - 1) && clause.head !== undefined
    if (isObject && /^(the|this|that)$/.test(text.tokens[at - 2]?.word ?? '')) {
      return { found: unknownRecord(kinds[0]!, token.text), used: [at, at - 1], strength: 3 }
    }
  }
  return undefined
}

function namesLike(index: Search['text']['index'], text: string) {
  const letters = wordsOf(text).join('')
  const exact = index.called(letters)
  return exact.length > 0 || letters.length > LONGEST_QUOTE ? exact : index.called(index.nearestLetters(letters) ?? '')
}

interface Rated {
  mention: Mention
  strength: number
  noun: number[]
}

/** A name, or a part of a name. */
export function byName(search: Search): Reference | undefined {
  const { text, clause, kinds, states } = search
  const isHead = ({ from, to }: Mention) => to - from === 1 && from === clause.head
  const own = clause.mentions.filter((mention) => kinds.includes(mention.name.kind) && !isHead(mention))
  const rated = own.map((mention) => ({ mention, ...rate(search, mention) })).filter(({ strength }) => strength > 0)
  if (rated.length === 0) return undefined
  const best = bestOf(rated)
  const { mention, strength, noun } = best.reduce((a, b) => (b.mention.from < a.mention.from ? b : a))
  const same = best.filter((one) => one.mention.from < mention.to && mention.from < one.mention.to)
  const names = same.map((one) => one.mention.name)
  const records = inStates(
    names.map(({ record }) => record),
    states,
  )
  const found = foundOf(
    writtenWords(text, mention),
    names.filter(({ record }) => records.includes(record)),
  )
  return { found, used: [...positionsOf(mention), ...noun], strength }
}

function bestOf(rated: Rated[]): Rated[] {
  const strength = Math.max(...rated.map((one) => one.strength))
  const strongest = rated.filter((one) => one.strength === strength)
  const size = Math.max(...strongest.map((one) => sizeOf(one.mention)))
  return strongest.filter((one) => sizeOf(one.mention) >= size - 0.01)
}

export const sizeOf = ({ full, from, to, score }: Mention): number => (full ? 1 + score + (to - from) / 10 : score)

function rate(search: Search, mention: Mention): Omit<Rated, 'mention'> {
  const noun = nounNear(search, mention)
  const used = noun === undefined ? [] : [noun]
  if (mention.full) return { strength: rateWhole(search, mention), noun: used }
  const strength = noun === undefined ? rateAlone(search, mention) : rateWithNoun(search, mention, noun)
  return { strength, noun: used }
}

/** "The checkout incident" and "the incident on checkout" have the noun of the kind, "any incidents on checkout" names none. */
function rateWithNoun(search: Search, mention: Mention, noun: number): number {
  const { clause, nouns, request } = search
  const places = positionsOf(mention)
  if (places.every((at) => nouns.includes(at)) || places.some((at) => clause.times.has(at))) return 0
  if (isIndefiniteAt(search, Math.min(noun, mention.from))) return 0
  const isBehind = noun >= mention.from
  if (isSingularAt(search, noun) && (isBehind || request || isDefiniteAt(search, noun)))
    return isWeak(search, mention) ? 2.8 : 3
  return request ? rateAlone(search, mention) : 0
}

/** A part of a name without a noun. If it is the whole name of another record, only the verb of a request makes it a reference. */
function rateAlone(search: Search, mention: Mention): number {
  const { clause, kinds, nouns, request } = search
  const places = positionsOf(mention)
  if (places.every((at) => nouns.includes(at)) || places.some((at) => clause.times.has(at))) return 0
  if (clause.statuses.some(({ loose, from, to }) => !loose && from <= mention.from && mention.to <= to)) return 0
  const length = mention.to - mention.from
  const isContested = clause.mentions.some(
    ({ full, name, from, to }) =>
      full && !kinds.includes(name.kind) && from < mention.to && mention.from < to && to - from >= length,
  )
  if (isWeak(search, mention)) return request && !isContested && !places.includes(clause.head ?? -1) ? 1.4 : 0
  if (isContested) return request ? 1.2 : 0
  return 2.6
}

/** All of the words mean something else as well. */
const isWeak = ({ text }: Search, mention: Mention): boolean =>
  positionsOf(mention).every((at) => text.readings[at]!.length > 0 || functionWords.has(text.tokens[at]!.word))

function nounNear({ text, nouns }: Search, { from, to }: Mention): number | undefined {
  const behind = nouns.find((noun) => noun === to || (noun >= from && noun < to && to - from > 1))
  if (behind !== undefined) return behind
  const isJoined = (noun: number) => !text.tokens.slice(noun + 1, from).some(({ kind }) => kind === 'mark')
  return nouns.find((noun) => noun < from && noun >= from - 3 && isJoined(noun))
}

/** A whole name is less sure inside of a longer name, and before the noun of another kind: "the checkout incident" is no item. */
function rateWhole({ text, clause, kinds, request }: Search, { from, to }: Mention): number {
  const around = clause.mentions.filter(
    (one) => one.full && one.from <= from && one.to >= to && one.to - one.from > to - from,
  )
  if (around.some(({ name }) => kinds.includes(name.kind))) return request ? 3.5 : 0
  const others = otherNouns(kinds)
  const next = text.readings[to] ?? []
  const isAttribute = next.some(({ concept, verb, form }) => !verb && form === 'base' && others.has(concept))
  return isAttribute || (around.length > 0 && !request) ? 1.1 : 3.5
}

function otherNouns(kinds: Search['kinds']) {
  const own = kinds.flatMap((kind) => nounsOf[kind])
  const others = (['incident', 'maintenance', 'beat', 'action'] as const).flatMap((kind) => nounsOf[kind])
  return new Set(others.filter((concept) => concept !== 'problem' && !own.includes(concept)))
}
