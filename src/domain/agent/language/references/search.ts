import type { Clause, Text } from '../text.ts'
import type { Found, RecordKind } from '../types.ts'
import type { Concept } from '../words/vocabulary.ts'

/** How a clause refers to a record, and how surely: a number or name is sure, a pronoun less, a noun alone least. */
export interface Reference {
  found: Found | undefined
  used: number[]
  strength: number
}

export interface Wanted {
  kinds: RecordKind[]
  request: boolean
  /** The states that the intent is usually about. */
  states?: string[] | undefined
}

/** A clause in which a record is looked for. */
export interface Search extends Wanted {
  text: Text
  clause: Clause
  /** The positions of nouns for the kind. */
  nouns: number[]
}

export const nounsOf: Record<RecordKind, Concept[]> = {
  item: ['item'],
  incident: ['incident', 'problem'],
  maintenance: ['maintenance', 'window', 'work'],
  series: ['series', 'occurrence'],
  beat: ['beat', 'check'],
  beat_group: ['group', 'beat'],
  action: ['action', 'review'],
  endpoint: ['endpoint'],
}

export function searchIn(text: Text, clause: Clause, wanted: Wanted): Search {
  const concepts = new Set(wanted.kinds.flatMap((kind) => nounsOf[kind]))
  const isNoun = (at: number) => text.readings[at]!.some(({ concept, verb }) => !verb && concepts.has(concept))
  // The "outage" of "major outage" is a status.
  const isStatus = (at: number) => clause.statuses.some(({ loose, from, to }) => !loose && from <= at && at < to)
  return {
    ...wanted,
    text,
    clause,
    nouns: clause.words.filter((at) => at !== clause.head && isNoun(at) && !isStatus(at)),
  }
}

const definite = new Set(['the', 'this', 'that', 'our', 'said'])
const indefinite = new Set(['a', 'an', 'any', 'another', 'new', 'no', 'some', 'many', 'more'])

export const isDefiniteAt = ({ text }: Search, noun: number): boolean => definite.has(text.tokens[noun - 1]?.word ?? '')

/** `an incident`, `any open incident`; not across a comma. */
export function isIndefiniteAt({ text, clause }: Search, noun: number): boolean {
  // The article of "an incident update" belongs to the update.
  if (text.readings[noun + 1]?.some(({ concept, verb }) => concept === 'update' && !verb)) return false
  for (let at = noun - 1; at >= Math.max(clause.span.from, noun - 3); at--) {
    if (text.tokens[at]!.kind === 'mark') return false
    if (indefinite.has(text.tokens[at]!.word)) return true
  }
  return false
}

export const isSingularAt = ({ text }: Search, noun: number): boolean =>
  text.readings[noun]!.some(({ form, verb }) => form === 'base' && !verb)
