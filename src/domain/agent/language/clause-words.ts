import { readOpening } from './clauses/courtesy.ts'
import type { Span } from './clauses/sentences.ts'
import { requestVerbs } from './intents/phrases.ts'
import type { Mention } from './names/mentions.ts'
import { slotOf } from './references/found.ts'
import { type Clause, isNamed, type Text } from './text.ts'
import type { RecordSlot } from './types.ts'
import type { Concept } from './words/vocabulary.ts'

/** The verbs of requests that a clause has, outside of names. */
export function verbsIn(text: Text, { words, mentions, head }: Clause): Set<Concept> {
  const isAuxiliary = (at: number) => /^(do|have)$/.test(text.tokens[at]!.word)
  const own = words.filter((at) => at === head || !(isNamed(mentions, at) || isAuxiliary(at)))
  const readings = own.flatMap((at) => text.readings[at]!)
  return new Set(
    readings.filter(({ concept, verb }) => verb && requestVerbs.has(concept)).map(({ concept }) => concept),
  )
}

/** The subject comes first, then a verb: what is stated is neither asked nor requested. */
export function isStatement(text: Text, clause: Clause): boolean {
  const { tokens } = text
  const start = readOpening(tokens, clause.span.from, clause.span.to).next
  if (/^(i|we|he|she|they|you|someone|my|our)$/.test(tokens[start]?.word ?? '')) return true
  const isVerbOfStatement = (at: number) => /^(is|are|was|were|has|have|had|will|took|did|been)$/.test(tokens[at]!.word)
  return clause.words.some((at) => at > start && isVerbOfStatement(at) && !isNamed(clause.mentions, at))
}

const courteous =
  /^(thanks?|thank|you|please|much|very|so|a|lot|cheers|for|your|help|sorry|ok|okay|great|cool|perfect|nice|hi|hello|hey|howdy|there|good|morning|afternoon|evening|bot|team|all|everyone|yes|again|in|advance|the|that|it|and|then|also|would|be|if|possible|quick|quickly|one|question|just|a)$/

export function isIdle(text: Text, clause: Clause): boolean {
  return text.tokens
    .slice(clause.span.from, clause.span.to)
    .every(({ kind, word }) => kind === 'mark' || (kind === 'word' && courteous.test(word)))
}

const aboutPlan =
  /^(confirm|apply|approve|accept|execute|run|cancel|reject|discard|drop|stop) ((the|this|that|my|your|our) )?plan( (number )?\d+)?( (now|please|thanks|and))*$/

/** "Confirm plan 91", "cancel the plan"; "confirm it" behind a plan. */
export function isAboutPlan({ tokens, situation: { memory } }: Text, { span }: Clause): boolean {
  const { next } = readOpening(tokens, span.from, span.to)
  const words = tokens.slice(next, span.to).filter(({ kind }) => kind !== 'mark')
  const text = words.map(({ word }) => word).join(' ')
  return aboutPlan.test(text) || (memory?.plan_id !== undefined && /^(confirm|apply)( (it|this|that))?$/.test(text))
}

/** A greeting alone. */
export function greets({ tokens }: Text, { span }: Clause): boolean {
  const first = tokens.slice(span.from, span.to).find(({ kind }) => kind === 'word')
  return /^(hi|hello|hey|howdy|help)$/.test(first?.word ?? '')
}

const contextKinds = new Set(['incident', 'maintenance', 'beat', 'beat_group', 'series', 'item', 'action'])

/** The records that a clause names wholly or by number. */
export function named(text: Text, clause: Clause): RecordSlot[] {
  const whole = clause.mentions.filter(({ full, name }) => full && contextKinds.has(name.kind))
  const isInside = (one: Mention, other: Mention) =>
    other.name.kind !== 'item' &&
    other.from <= one.from &&
    other.to >= one.to &&
    other.to - other.from > one.to - one.from
  const longest = whole.filter((one) => !whole.some((other) => isInside(one, other)))
  const items = whole.filter(({ name }) => name.kind === 'item')
  const numbered = clause.words.flatMap((at) => numberedRecord(text, at) ?? [])
  return [...numbered, ...[...longest, ...items].map(({ name }) => slotOf(name.kind, name.record))]
}

/** `incident 41`. */
function numberedRecord({ tokens, readings, index }: Text, at: number): RecordSlot | undefined {
  if (!/^\d{1,9}$/.test(tokens[at]!.word)) return undefined
  const noun = readings[at - 1]?.find(({ verb, concept }) => !verb && contextKinds.has(concept))
  const kind = noun?.concept as RecordSlot['kind'] | undefined
  const record = kind && index.of(kind).find(({ id }) => id === Number(tokens[at]!.word))
  return kind && record && slotOf(kind, record)
}

/** The words of a clause without conjunctions and marks around them. */
export function plainText({ query, tokens }: Text, { from, to }: Span): string {
  let [first, last] = [from, to]
  const isEdge = (at: number) => tokens[at]!.kind === 'mark' || /^(and|then|but|so|also|or)$/.test(tokens[at]!.word)
  while (first < last && isEdge(first)) first++
  while (last > first && isEdge(last - 1)) last--
  return first < last ? query.slice(tokens[first]!.start, tokens[last - 1]!.end).trim() : ''
}
