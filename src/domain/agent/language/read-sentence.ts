import { setImmediate } from 'node:timers/promises'
import { named, plainText, verbsIn } from './clause-words.ts'
import { findCommand } from './clauses/commands.ts'
import { readOpening, skipInterjections } from './clauses/courtesy.ts'
import { reportAt } from './clauses/safety.ts'
import type { Sentence, Span } from './clauses/sentences.ts'
import { remembered } from './conversation.ts'
import { wordsOf } from './names/name-index.ts'
import { type Outcome, readClause } from './read-clause.ts'
import { readTexts } from './slots/texts.ts'
import { clauseOf, positionsOf, type Text } from './text.ts'
import type { RecordSlot } from './types.ts'
import type { Concept } from './words/vocabulary.ts'

export interface ClauseReading extends Outcome {
  from: number
  text: string
  /** The verbs of requests that it has. */
  verbs: Set<Concept>
  /** The records that it names. */
  records: RecordSlot[]
}

/** The verb of a clause is at most so many words away from its beginning. */
const FAR = 30

/** So many clauses of a sentence are read. */
const MOST = 30

const breaks = new Set([',', 'and', 'then', 'but', 'so', '-', ':', 'also', '→', '(', ')', 'or', 'because'])

/** The clauses of a sentence, and where reading goes on: behind the sentence, behind a message, or at a clause that is too many. */
export async function readSentence(
  text: Text,
  sentence: Sentence,
  before: ClauseReading[],
): Promise<{ readings: ClauseReading[]; next: number }> {
  const readings: ClauseReading[] = []
  const starts = remembering((at) => startsClause(text, at, sentence))
  let from = sentence.from
  let next = sentence.to
  while (from < sentence.to && readings.length < MOST) {
    const read = readNext({ text, sentence, from, before: [...before, ...readings], inSentence: readings, starts })
    if (read.reading.joined) readings.at(-1)!.idle = true
    readings.push(read.reading)
    from = read.to
    next = Math.max(next, read.to)
    await setImmediate()
  }
  if (from < sentence.to) next = from
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

interface Position {
  text: Text
  sentence: Sentence
  from: number
  /** All clauses before, and those of the same sentence. */
  before: ClauseReading[]
  inSentence: ClauseReading[]
  starts: (at: number) => boolean
}

/** One clause, up to the next one that begins with a verb, a negation, a question or a condition. */
function readNext({ text, sentence, from, before, inSentence, starts }: Position): {
  reading: ClauseReading
  to: number
} {
  const { tokens, query, chunks, mentions } = text
  const command = findCommand(text, { from, to: clauseEnd(text, sentence, from, new Set(), starts) })
  const scope = {
    query,
    tokens,
    chunks,
    mentions,
    to: sentence.to,
    isName: (at: number) => isName(text, at),
    startsClause: starts,
  }
  const texts = command ? readTexts({ ...scope, head: command.head }) : []
  const taken = new Set(texts.flatMap(positionsOf))
  const isToEnd = texts.some((part) => part.to > sentence.to)
  const to = isToEnd ? tokens.length : clauseEnd(text, sentence, from, taken, starts)
  const context = [...[...before].reverse().flatMap(({ records }) => records), ...remembered(text.situation.memory)]
  const clause = clauseOf(text, { span: { from, to }, head: command?.head, texts: taken, context })
  const reported = reportAt(tokens, { from: sentence.from, to: command?.head ?? sentence.to })
  const isReported =
    from > text.reportedFrom ||
    (reported !== undefined && isReport(text, reported, from)) ||
    followsColon(text, sentence, from, before.at(-1))
  const outcome = readClause({ text, sentence, clause, command, texts, isReported, topic: topicOf(inSentence.at(-1)) })
  const words = { text: plainText(text, clause.span), verbs: verbsIn(text, clause), records: named(text, clause) }
  return { reading: { ...outcome, ...words, from }, to }
}

/** A statement or fragment right before a request. */
function topicOf(previous: ClauseReading | undefined): number | undefined {
  if (!previous || previous.rank > 2 || (previous.because && previous.because !== 'not_understood')) return undefined
  return previous.from
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

/** A quote that is the name of a record, or that is said to be one: `the incident "Fire"`. */
function isName({ tokens, readings, index }: Text, at: number): boolean {
  const isKind = (readings[at - 1] ?? []).some(
    ({ concept, verb, form }) => !verb && form === 'base' && kindNouns.has(concept),
  )
  if (isKind && /^(the|this|that)$/.test(tokens[at - 2]?.word ?? '')) return true
  return index.called(wordsOf(tokens[at]!.text).join('')).length > 0
}
const kindNouns: ReadonlySet<Concept> = new Set([
  'incident',
  'maintenance',
  'beat',
  'series',
  'action',
  'review',
  'item',
])

function clauseEnd(
  text: Text,
  sentence: Span,
  from: number,
  taken: ReadonlySet<number>,
  starts: (at: number) => boolean,
): number {
  const { tokens, chunks, mentions } = text
  for (let at = readOpening(tokens, from, sentence.to).next + 1; at < sentence.to; at++) {
    if (taken.has(at) || !breaks.has(tokens[at - 1]!.word) || taken.has(at - 1)) continue
    if (at - 1 <= from && tokens[at - 1]!.kind === 'word') continue
    const isEdge = /^(start|begin|end|finish)$/.test(tokens[at]!.word)
    const isInTime = chunks.some((one) => (one.from < at || (isEdge && one.from === at)) && at < one.to)
    const isInName = mentions.some((one) => one.full && one.from < at && at < one.to)
    if (!isInTime && !isInName && starts(at)) return at
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
