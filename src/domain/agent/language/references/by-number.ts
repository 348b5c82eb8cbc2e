import { isNamed } from '../text.ts'
import { slotOf, unknownRecord } from './found.ts'
import { nounsOf, type Reference, type Search } from './search.ts'

const allNouns = new Set(Object.values(nounsOf).flat())

/** `incident 41`, `#41`, or a number right behind the verb. */
export const byNumber = (search: Search): Reference | undefined =>
  byNumberedNoun(search) ?? byBareNumber(search, (at) => isMarked(search, at) || at - 1 === search.clause.head)

/** `41` anywhere, if a record has the number. */
export const byAnyNumber = (search: Search): Reference | undefined => byBareNumber(search, () => true)

function byNumberedNoun(search: Search): Reference | undefined {
  const { text, clause, nouns, kinds } = search
  for (const noun of nouns) {
    // "Occurrence 2 of series 4": the number of an occurrence names no record.
    if (text.readings[noun]!.some(({ concept }) => concept === 'occurrence')) continue
    const gap = /^(number|no|id|nr)$/.test(text.tokens[noun + 1]?.word ?? '') ? 2 : 1
    const number = noun + gap
    const isName = clause.mentions.some(
      ({ full, from, to, name }) => full && from <= noun && number < to && kinds.includes(name.kind),
    )
    if (!isName && number < clause.span.to && isNumber(search, number) && !clause.texts.has(number)) {
      return numbered(search, number, [noun, noun + 1, number])
    }
  }
  return undefined
}

function byBareNumber(search: Search, isPlace: (at: number) => boolean): Reference | undefined {
  const { text, clause, request } = search
  for (const at of clause.words) {
    if (!isNumber(search, at) || clause.times.has(at) || isNamed(clause.mentions, at)) continue
    // The number of `OPS-41` belongs to its word.
    if (!isPlace(at) || text.tokens[at]!.text !== text.tokens[at]!.word) continue
    const followsNoun = at > 0 && text.readings[at - 1]!.some(({ concept, verb }) => !verb && allNouns.has(concept))
    if (followsNoun) continue
    const reference = numbered(search, at, [at])
    const isObject = request && at - 1 === clause.head
    if (reference.strength > 3 || isObject) return { ...reference, strength: Math.min(reference.strength, 3.2) }
  }
  return undefined
}

const isMarked = ({ text: { query, tokens } }: Search, at: number) => query[tokens[at]!.start - 1] === '#'

function isNumber({ text }: Search, at: number): boolean {
  const token = text.tokens[at]!
  return token.kind === 'number' && /^\d{1,9}$/.test(token.word)
}

function numbered({ text, kinds }: Search, at: number, used: number[]): Reference {
  const { word } = text.tokens[at]!
  for (const kind of kinds) {
    const record = text.index.of(kind).find(({ id }) => id === Number(word))
    if (record) return { found: slotOf(kind, record), used, strength: 4 }
  }
  return { found: unknownRecord(kinds[0]!, word), used, strength: 3 }
}
