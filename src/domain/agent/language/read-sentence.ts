import { named, plainText, verbsIn } from './clause-words.ts'
import { findCommand } from './clauses/commands.ts'
import { readOpening, skipInterjections } from './clauses/courtesy.ts'
import { reportAt } from './clauses/safety.ts'
import type { Sentence, Span } from './clauses/sentences.ts'
import { remembered } from './conversation.ts'
import type { Token } from './lexing/lexer.ts'
import { wordsOf } from './names/name-index.ts'
import { type Outcome, readClause } from './read-clause.ts'
import { readTexts } from './slots/texts.ts'
import { clauseOf, positionsOf, type Text } from './text.ts'
import type { RecordSlot } from './types.ts'
import type { Concept } from './words/vocabulary.ts'

export interface ClauseReading extends Outcome {
  text: string
  /** The verbs of requests that it has. */
  verbs: Set<Concept>
  /** The records that it names. */
  records: RecordSlot[]
}

/** The verb of a clause is at most so many words away from its beginning. */
const FAR = 30

const breaks = new Set([',', 'and', 'then', 'but', 'so', '-', ':', 'also', '→', '(', ')', 'or', 'because'])
export function readSentence(
  text: Text,
  sentence: Sentence,
  before: ClauseReading[],
): { readings: ClauseReading[]; next: number } {
  const readings: ClauseReading[] = []
  const starts = remembering((at) => startsClause(text, at, sentence))
  let from = sentence.from
  let next = sentence.to
  while (from < sentence.to) {
    const read = readNext(text, sentence, from, [...before, ...readings], starts)
    readings.push(read.reading)
    from = read.to
    next = Math.max(next, read.to)
  }
  return { readings, next }
}

/** Each position is looked at once, so that the cost grows with the length of the query. */
function remembering(starts: (at: number) => boolean): (at: number) => boolean {
  const known = new Map<number, boolean>()
  return (at) => {
    const answer = known.get(at) ?? starts(at)
    known.set(at, answer)
    return answer
  }
}

/** One clause, up to the next one that begins with a verb, a negation, a question or a condition. */
function readNext(
  text: Text,
  sentence: Sentence,
  from: number,
  before: ClauseReading[],
  starts: (at: number) => boolean,
) {
  const { tokens } = text
  const roughEnd = clauseEnd(text, sentence, from, new Set(), starts)
  const command = findCommand(text, { from, to: roughEnd })
  const reported = reportAt(tokens, { from: sentence.from, to: command?.head ?? sentence.to })
  const texts = command
    ? readTexts({
        query: text.query,
        tokens,
        chunks: text.chunks,
        mentions: text.mentions,
        head: command.head,
        to: sentence.to,
        isName: (token) => isName(text, token),
        startsClause: starts,
      })
    : []
  const taken = new Set(texts.flatMap(positionsOf))
  const to = texts.some((part) => part.to > sentence.to)
    ? tokens.length
    : clauseEnd(text, sentence, from, taken, starts)
  const records = [...before].reverse().flatMap((one) => one.records)
  const clause = clauseOf(text, {
    span: { from, to },
    head: command?.head,
    texts: taken,
    context: [...records, ...remembered(text.situation.memory)],
  })
  const isReported =
    (reported !== undefined && isReport(text, reported, from)) || followsColon(text, sentence, from, before.at(-1))
  const outcome = readClause({ text, sentence, clause, command, texts, isReported })
  const reading = {
    ...outcome,
    text: plainText(text, clause.span),
    verbs: verbsIn(text, clause),
    records: named(text, clause),
  }
  return { reading, to }
}

/** What a report says ends at a comma, if anything was reported before the comma. */
function isReport({ tokens }: Text, at: number, from: number): boolean {
  if (at >= from) return true
  const comma = tokens.findIndex(({ word }, index) => index > at && index < from && word === ',')
  return comma < 0 || comma - at < 3
}

const ofTexts =
  /^(title|subject|name|headline|message|text|body|note|comment|description|summary|payload|log|ticket|mail|email)$/

/** "The title is: resolve it": a request behind a colon needs what it is about before the colon, and no label of a text. */
function followsColon({ tokens }: Text, sentence: Span, from: number, previous: ClauseReading | undefined): boolean {
  if (from <= sentence.from || tokens[from - 1]!.word !== ':') return false
  const isLabel = tokens.slice(sentence.from, from).some(({ word }) => ofTexts.test(word))
  return isLabel || !previous?.idle || previous.records.length === 0
}

const isName = (text: Text, token: Token) => text.index.called(wordsOf(token.text).join('')).length > 0

function clauseEnd(
  text: Text,
  sentence: Span,
  from: number,
  taken: Set<number>,
  starts: (at: number) => boolean,
): number {
  const { tokens, chunks, mentions } = text
  for (let at = readOpening(tokens, from, sentence.to).next + 1; at < sentence.to; at++) {
    if (taken.has(at) || !breaks.has(tokens[at - 1]!.word) || taken.has(at - 1)) continue
    if (at - 1 <= from && tokens[at - 1]!.kind === 'word') continue
    if (
      chunks.some((one) => one.from < at && at < one.to) ||
      mentions.some((one) => one.full && one.from < at && at < one.to)
    )
      continue
    if (starts(at)) return at
  }
  return sentence.to
}

function startsClause(text: Text, at: number, { to }: Span): boolean {
  const { tokens } = text
  const next = skipInterjections(tokens, at, to)
  if (next >= to) return false
  const { word } = tokens[next]!
  if (word === 'not' || word === 'never' || (word === 'do' && tokens[next + 1]?.word === 'not')) return true
  if (/^(if|unless|what|why|how|who|whose)$/.test(word) || (word === 'no' && tokens[next + 1]?.word === 'need'))
    return true
  if (/^(is|are|was|were|does|did)$/.test(word) && tokens[at - 1]?.word !== 'and') return true
  return findCommand(text, { from: at, to: Math.min(to, at + FAR) }) !== undefined
}
