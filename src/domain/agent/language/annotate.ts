import { reportedFrom } from './clauses/safety.ts'
import { lex } from './lexing/lexer.ts'
import { findMentions } from './names/mentions.ts'
import { nameIndex } from './names/name-index.ts'
import { stagesIn } from './names/stages.ts'
import { statusesIn } from './names/statuses.ts'
import type { Text } from './text.ts'
import { timeChunks } from './times/chunks.ts'
import type { Situation } from './types.ts'
import { reader } from './words/readings.ts'

const countable = new Set([
  'incident',
  'maintenance',
  'beat',
  'action',
  'review',
  'series',
  'item',
  'endpoint',
  'group',
  'problem',
])

/** Everything that can be found in a query before its sentences are read. */
export function annotate(query: string, situation: Situation): Text {
  const tokens = lex(query)
  const read = reader()
  const readings = tokens.map(({ kind, word }) => (kind === 'word' ? read(word.replace(/'s?$/, '')) : []))
  for (let at = 1; at < tokens.length; at++) {
    // "I'm on it" takes it.
    if (tokens[at]!.word === 'on' && tokens[at - 1]!.word === 'am' && tokens[at - 2]?.word === 'i')
      readings[at] = read('take')
    if (tokens[at]!.word === 'come' && tokens[at - 1]!.word === 'how') readings[at] = read('why')
  }
  const index = nameIndex(situation)
  const mentions = findMentions(tokens, index, (at) => readings[at]!.length > 0)
  // Numbers behind "incident" and words of a whole name are no times.
  const named = new Set<number>()
  for (const { full, from, to } of mentions) if (full && to - from > 1) for (let at = from; at < to; at++) named.add(at)
  const isNumbered = (at: number) =>
    tokens[at]!.kind === 'number' &&
    /^\d+$/.test(tokens[at]!.word) &&
    (readings[at - 1] ?? []).some(({ concept, verb }) => !verb && countable.has(concept))
  const chunks = timeChunks(tokens, (at) => named.has(at) || isNumbered(at))
  return {
    query,
    tokens,
    readings,
    mentions,
    chunks,
    statuses: statusesIn(tokens, situation.statusTypes),
    stages: stagesIn(tokens, situation.incidentStages ?? []),
    reportedFrom: reportedFrom(tokens),
    index,
    situation,
  }
}
