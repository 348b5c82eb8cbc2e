import { greets, isAboutPlan, isIdle, isStatement, named, verbsIn } from './clause-words.ts'
import { asksHow, type Command } from './clauses/commands.ts'
import { readOpening } from './clauses/courtesy.ts'
import { hasLimit } from './clauses/limits.ts'
import { conditionIn, isBareNegation, negationIn } from './clauses/safety.ts'
import type { Sentence } from './clauses/sentences.ts'
import { changeOfCreated, continueTurn, remembered } from './conversation.ts'
import { bestMatch } from './intents/match.ts'
import { questionPhrases, requestPhrases } from './intents/phrases.ts'
import { fillSlots } from './slots/fill-slots.ts'
import type { TextPart } from './slots/texts.ts'
import { type Clause, clauseOf, isUnknownWord, type Text } from './text.ts'
import type { Slots, Understanding } from './types.ts'

type Understood = Extract<Understanding, { intent: unknown }>
type Because = Extract<Understanding, { kind: 'none' }>['because']

export interface Outcome {
  understood?: Understood
  because?: Because
  /** Of several, the one with the highest rank is answered; the first of equal rank. */
  rank: number
  /** It needs no answer: a courtesy, or what another clause refers to. */
  idle: boolean
  /** It took the clause before as its topic. */
  joined?: boolean
}

interface Scope {
  text: Text
  sentence: Sentence
  clause: Clause
  command: Command | undefined
  texts: TextPart[]
  isReported: boolean
  /** Where the clause before begins, if it can be what the request is about: "maintenance on Login tomorrow, please schedule it". */
  topic: number | undefined
}

const REQUEST = 3
const QUESTION = 3
const FRAGMENT = 2
const HELP = 1

const asking =
  /^(what|which|who|whose|when|where|why|how|is|are|was|were|do|does|did|has|have|had|can|could|should|will|would|may|am|any|anything|anyone)$/

const refused = (because: Because): Outcome => ({ because, rank: 0, idle: false })
const understoodAs = (understood: Understood, rank: number): Outcome => ({ understood, rank, idle: false })

export function readClause(scope: Scope): Outcome {
  const { text, sentence, clause } = scope
  if (isIdle(text, clause) && !(sentence.asked && isLast(scope))) {
    return greets(text, clause) ? { ...understoodAs(help, HELP), idle: true } : { rank: 0, idle: true }
  }
  if (isAboutPlan(text, clause)) return understoodAs(plans, QUESTION)
  const mood: Mood = { isQuestion: asks(scope), isConditional: hasCondition(scope), verbs: verbsIn(text, clause).size }
  if (!mood.isQuestion && isNegated(scope, mood.verbs)) return refused(scope.isReported ? 'quoted' : 'negated')
  return readCommand(scope, mood) ?? readContinuation(scope, mood) ?? readAsked(scope, mood) ?? whyNot(scope, mood)
}

interface Mood {
  isQuestion: boolean
  isConditional: boolean
  /** How many verbs of requests it has. */
  verbs: number
}

const isLast = ({ sentence, clause }: Scope) => clause.span.to === sentence.to

/** "Resolve incident 41?" asks; "can you resolve incident 41?" is a polite request. */
const isAskedBack = (scope: Scope) => scope.sentence.asked && !scope.command?.polite && isLast(scope)

function readCommand(scope: Scope, { isConditional }: Mood): Outcome | undefined {
  const { command } = scope
  if (!command || isAskedBack(scope)) return undefined
  if (scope.isReported) return refused('quoted')
  const request = readRequest(scope)
  const joined = scope.topic !== undefined && isBare(request) ? readWithTopic(scope, scope.topic, request) : undefined
  const found = joined ?? request
  if (found && isConditional) return refused('hypothetical')
  const isText = (at: number) => scope.clause.texts.has(at) || scope.texts.some(({ from, to }) => from <= at && at < to)
  if (found && hasLimit(scope.text, scope.sentence, found.intent, isText)) return refused('limited')
  if (found) return { ...understoodAs(found, REQUEST), joined: joined !== undefined }
  return isWrite(scope, command) ? refused('not_understood') : undefined
}

const isBare = (request: Understood | undefined) =>
  Object.keys(request?.slots ?? {}).every((slot) => /^(title|message|reason|unread)$/.test(slot))

/** What the clause before adds; its other words are no part of the request. */
function readWithTopic(scope: Scope, topic: number, request: Understood | undefined): Understood | undefined {
  const { text, clause } = scope
  const wider = clauseOf(text, { ...clause, span: { from: topic, to: clause.span.to } })
  const found = readRequest({ ...scope, clause: wider })
  if (!found || isBare(found) || (request && found.intent !== request.intent)) return undefined
  return { ...found, unclear: request?.unclear ?? [] }
}

const canBeAsked = ({ isReported, command }: Scope, { isConditional, isQuestion }: Mood) =>
  (!isReported || isQuestion) && (!isConditional || isQuestion || command !== undefined)

function readContinuation(scope: Scope, mood: Mood): Outcome | undefined {
  const continued = canBeAsked(scope, mood) ? continueTurn(scope.text, scope.clause, scope.texts) : undefined
  if (!continued) return undefined
  const isRequest = continued.kind === 'request'
  return isRequest && (isAskedBack(scope) || mood.isConditional) ? undefined : understoodAs(continued, REQUEST)
}

function readAsked(scope: Scope, mood: Mood): Outcome | undefined {
  const isAsked = mood.isQuestion || scope.command !== undefined
  if (!canBeAsked(scope, mood) || (!isAsked && isStatement(scope.text, scope.clause))) return undefined
  const question = readQuestion(scope)
  if (!question || (!isAsked && beginsUnknown(scope))) return undefined
  return understoodAs(question, question.intent === 'help' ? HELP : isAsked ? QUESTION : FRAGMENT)
}

function whyNot(scope: Scope, { isConditional, isQuestion, verbs }: Mood): Outcome {
  if (scope.isReported || hasQuote(scope)) return refused('quoted')
  if (verbs > 0 && isConditional) return refused('hypothetical')
  const isContext = !isQuestion && !scope.command && named(scope.text, scope.clause).length > 0
  return { ...refused('not_understood'), idle: isContext }
}

const plans: Understood = { kind: 'question', intent: 'plans', slots: {}, unclear: [] }
const help: Understood = { kind: 'question', intent: 'help', slots: {}, unclear: [] }

/** A verb that only requests have, so that the clause is no question. "Open", "update" and others are adjectives and nouns as well. */
const isWrite = ({ text }: Scope, { head }: Command) =>
  !mayBeAsked.test(text.tokens[head]!.word) && !text.readings[head]!.some(({ verb }) => !verb)
const mayBeAsked = /^(open|get|have|need|want|like|check|report|call|make|change|tell|inform|notify|let|send|new)$/

/** A question mark, a question word, or an imperative such as "show me". */
function asks(scope: Scope): boolean {
  const {
    text,
    sentence,
    clause: { span },
    command,
  } = scope
  if (command) return false
  const { next } = readOpening(text.tokens, span.from, span.to)
  const word = next < span.to ? text.tokens[next]!.word : ''
  const isEnd = isLast(scope)
  if (/^(do|did|does)$/.test(word) && text.tokens[next + 1]?.word === 'not') return sentence.asked && isEnd
  // "When search recovers, close it" is a condition.
  if (word === 'when' && !isEnd && !sentence.asked) return false
  const shows =
    next < span.to &&
    text.readings[next]!.some(({ concept, verb, form }) => concept === 'show' && verb && form === 'base')
  return asking.test(word) || shows || /^(tell|let)$/.test(word) || (sentence.asked && isEnd)
}

function isNegated({ text, clause: { span }, command, texts }: Scope, verbs: number): boolean {
  const { tokens } = text
  const at = negationIn(tokens, { from: span.from, to: Math.min(span.to, ...texts.map((one) => one.from)) })
  if (at === undefined) return false
  if (command && at > command.head) return !isRemark(text, command.head, at)
  const isBare = !/^(if|unless|when)$/.test(tokens[span.from]!.word) && isBareNegation(tokens, span)
  return command !== undefined || verbs > 0 || isBare
}

/** "Cancel it, vendor not available": the negation is in a remark of its own. */
function isRemark({ tokens }: Text, head: number, negation: number): boolean {
  for (let at = negation - 1; at > head; at--) if (tokens[at]!.kind === 'mark') return negation - at > 1
  return false
}

function hasCondition({ text, sentence, clause }: Scope): boolean {
  const isTaken = (at: number) => clause.texts.has(at) || text.chunks.some(({ from, to }) => from <= at && at < to)
  return conditionIn(text.tokens, sentence, isTaken) !== undefined
}

/** "Unmute payments ping": a fragment that begins with an unknown word is no question. */
function beginsUnknown({ text, clause }: Scope): boolean {
  const { next } = readOpening(text.tokens, clause.span.from, clause.span.to)
  const isTaken = clause.times.has(next) || clause.mentions.some(({ from, to }) => from <= next && next < to)
  return next < clause.span.to && !isTaken && isUnknownWord(text, next)
}

const hasQuote = ({ text, clause: { span } }: Scope) =>
  text.tokens.slice(span.from, span.to).some(({ kind }) => kind === 'quote' || kind === 'code')

function readRequest({ text, clause, texts }: Scope): Understood | undefined {
  const match = bestMatch(requestPhrases, text, clause)
  if (!match) return undefined
  const phrase = new Set([...match.used, ...openingOf(text, clause)])
  const { slots, unclear } = fillSlots({
    text,
    clause,
    intent: match.intent,
    phrase,
    texts,
    ...correctedIn(text, clause, match.intent),
  })
  if (slots.items === undefined && match.intent.slots.optional.includes('items')) {
    const items = clause.context
      .slice(0, clause.context.length - remembered(text.situation.memory).length)
      .filter(({ kind }) => kind === 'item')
    if (items[0]) slots.items = [items[0]]
  }
  const request: Understood = { kind: 'request', intent: match.intent.name, slots, unclear }
  const { memory } = text.situation
  return (memory && correctsLast(text, clause) && changeOfCreated(request, memory)) || request
}

/** "Make it a major outage". */
const correctsLast = ({ tokens }: Text, { head }: Clause) =>
  head !== undefined &&
  /^(make|set|change)$/.test(tokens[head]!.word) &&
  /^(it|that|this)$/.test(tokens[head + 1]?.word ?? '')

/** The words up to the verb. */
function openingOf({ tokens }: Text, { span, head }: Clause): number[] {
  const { next } = readOpening(tokens, span.from, span.to)
  return Array.from({ length: Math.min(next, (head ?? next) + 1) - span.from }, (_one, index) => span.from + index)
}

function readQuestion({ text, clause }: Scope): Understood | undefined {
  const asked = clauseOf(text, { ...clause, head: undefined, texts: new Set() })
  if (asksHow(text, clause.span)) return help
  const match = bestMatch(questionPhrases, text, asked)
  if (!match) return undefined
  const phrase = new Set([...match.used, ...openingOf(text, clause)])
  const { slots, unclear } = fillSlots({ text, clause: asked, intent: match.intent, phrase, texts: [] })
  return match.intent.name === 'help' ? help : { kind: 'question', intent: match.intent.name, slots, unclear }
}

/** "Make it 23:00 instead": the request of the last turn, whose day a time without a day keeps. */
function correctedIn(text: Text, clause: Clause, { name }: { name: string }): { base?: Slots } {
  const { memory } = text.situation
  const refersBack = clause.words.some((at) => /^(it|that|this|instead)$/.test(text.tokens[at]!.word))
  return refersBack && memory?.intent === name && memory.slots ? { base: memory.slots } : {}
}
