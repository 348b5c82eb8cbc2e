import type { Span } from './clauses/sentences.ts'
import type { Token } from './lexing/lexer.ts'
import type { Mention } from './names/mentions.ts'
import type { NameIndex } from './names/name-index.ts'
import type { StageMention } from './names/stages.ts'
import type { StatusMention } from './names/statuses.ts'
import type { Chunk } from './times/chunks.ts'
import type { RecordSlot, Situation } from './types.ts'
import { fillers, functionWords } from './words/function-words.ts'
import type { Reading } from './words/readings.ts'
import type { Concept } from './words/vocabulary.ts'

/** A query with all that was found in it. */
export interface Text {
  query: string
  tokens: Token[]
  readings: Reading[][]
  mentions: Mention[]
  chunks: Chunk[]
  statuses: StatusMention[]
  stages: StageMention[]
  /** From here on the words are those of another person. */
  reportedFrom: number
  index: NameIndex
  situation: Situation
}

interface ClauseParts {
  span: Span
  /** The verb of a request. */
  head: number | undefined
  /** Words of titles, messages and reasons, which are read as nothing else. */
  texts: ReadonlySet<number>
  /** The records that a pronoun can mean, the nearest first, those of the query before those of the thread. */
  context: RecordSlot[]
}

/** A part of a sentence that is one request or question. */
export interface Clause extends ClauseParts {
  /** The positions of the words outside of texts. */
  words: number[]
  mentions: Mention[]
  chunks: Chunk[]
  statuses: StatusMention[]
  stages: StageMention[]
  /** The positions of words about time. */
  times: ReadonlySet<number>
}

export function clauseOf(text: Text, parts: ClauseParts): Clause {
  const { span, texts } = parts
  const isInside = ({ from, to }: Span) => from >= span.from && to <= span.to && !texts.has(from) && !texts.has(to - 1)
  const chunks = text.chunks.filter(isInside)
  return {
    ...parts,
    words: positionsOf(span).filter((at) => !texts.has(at)),
    mentions: text.mentions.filter(isInside),
    chunks,
    statuses: text.statuses.filter(isInside),
    stages: text.stages.filter(isInside),
    times: new Set(chunks.flatMap(positionsOf)),
  }
}

export const positionsOf = ({ from, to }: Span): number[] =>
  Array.from({ length: to - from }, (_one, index) => from + index)

export const hasConcept = (text: Text, at: number, concept: Concept): boolean =>
  text.readings[at]!.some((one) => one.concept === concept)

/** The query between two tokens, as it is written. */
export const writtenWords = ({ query, tokens }: Text, { from, to }: Span): string =>
  query.slice(tokens[from]!.start, tokens[to - 1]!.end)

/** Whether the word belongs to the whole name of a record. */
export const isNamed = (mentions: Mention[], at: number): boolean =>
  mentions.some(({ full, from, to }) => full && from <= at && at < to)

/** Neither vocabulary nor a function word; an adverb changes nothing. */
export function isUnknownWord({ tokens, readings }: Text, at: number): boolean {
  const { kind, word } = tokens[at]!
  const isKnown = fillers.has(word) || functionWords.has(word) || readings[at]!.length > 0
  return kind === 'word' && !isKnown && !(word.length > 5 && word.endsWith('ly'))
}
