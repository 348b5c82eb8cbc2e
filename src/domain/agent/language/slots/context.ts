import type { Span } from '../clauses/sentences.ts'
import type { Token } from '../lexing/lexer.ts'
import type { Mention } from '../names/mentions.ts'
import type { NameIndex } from '../names/name-index.ts'
import type { StatusMention } from '../names/statuses.ts'
import type { Chunk } from '../times/chunks.ts'
import type { RecordSlot, Situation } from '../types.ts'
import type { Reading } from '../words/readings.ts'
import type { Concept } from '../words/vocabulary.ts'

/** A query with all that was found in it. */
export interface Text {
  query: string
  tokens: Token[]
  readings: Reading[][]
  mentions: Mention[]
  chunks: Chunk[]
  statuses: StatusMention[]
  index: NameIndex
  situation: Situation
}

/** A part of a sentence that is one request or question. */
export interface Clause {
  span: Span
  /** The verb of a request. */
  head: number | undefined
  /** Words of titles, messages and reasons, which are read as nothing else. */
  texts: Set<number>
  /** The records that a pronoun can mean, the nearest first. */
  context: RecordSlot[]
}

export const isFree = (clause: Clause, at: number) => !clause.texts.has(at)

/** The positions of the words of a clause that are neither text nor time. */
export function positions({ span, texts }: Clause): number[] {
  return Array.from({ length: span.to - span.from }, (_one, index) => span.from + index).filter((at) => !texts.has(at))
}

export const chunksIn = (text: Text, { span, texts }: Clause): Chunk[] =>
  text.chunks.filter(({ from, to }) => from >= span.from && to <= span.to && !texts.has(from) && !texts.has(to - 1))

export const within = ({ span, texts }: Clause, { from, to }: Span) =>
  from >= span.from && to <= span.to && !texts.has(from) && !texts.has(to - 1)

export const hasConcept = (text: Text, at: number, concept: Concept) =>
  text.readings[at]!.some((one) => one.concept === concept)
