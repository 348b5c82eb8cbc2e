import { annotate } from './annotate.ts'
import { findCommand } from './clauses/commands.ts'
import { readOpening } from './clauses/courtesy.ts'
import { sentences } from './clauses/sentences.ts'
import type { Situation } from './types.ts'

const beginsOther =
  /^(what|which|who|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|should|would|not|never|no|tell|let|help|show)$/

/** Whether a message neither asks nor commands nor takes something back, so that it can be the text that a question asks for. */
export function isPlainMessage(query: string, situation: Situation): boolean {
  const text = annotate(query, situation)
  const [first] = sentences(text.tokens)
  if (!first || query.trim().endsWith('?')) return false
  const { next } = readOpening(text.tokens, first.from, first.to)
  const begin = text.tokens[next]
  return begin !== undefined && next < first.to && !beginsOther.test(begin.word) && !findCommand(text, first)
}
