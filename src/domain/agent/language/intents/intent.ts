import type { QuestionName, RecordKind, RequestName, Slots } from '../types.ts'
import type { Concept } from '../words/vocabulary.ts'

export type SlotName = keyof Slots
export type TextSlot = 'title' | 'message' | 'reason'

interface Described {
  /**
   * Each phrase is a list of parts: a concept of the vocabulary, `a|b` for one of them, `{incident}` for a reference to a record,
   * `{incident!}` for one by number or by the whole name,
   * `$status`, `$past` or `$time` for what was found, and `?` behind a part that can be absent. A phrase of a request begins with
   * its verb; the other parts may have any order. The phrase with the most and the most specific parts wins.
   */
  phrases: string[]
  slots: { required: SlotName[]; optional: SlotName[] }
}

export interface Question extends Described {
  name: QuestionName
  kind: 'question'
  /** A day or time without more is the next one or the last one. */
  direction?: 'future'
}

export interface Request extends Described {
  name: RequestName
  kind: 'request'
  /** The states of records that the request is usually about; others must be named exactly. */
  states?: Partial<Record<RecordKind, string[]>>
  /** The kind of record that the request makes, so that it names none. */
  creates?: 'incident' | 'maintenance'
  /** Nouns that make the clause another request. */
  without?: Concept[]
  /** What a text without a label is, in order. */
  texts: TextSlot[]
}

export type Intent = Question | Request
