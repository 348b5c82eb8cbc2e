import { readOpening } from './clauses/courtesy.ts'
import type { Span } from './clauses/sentences.ts'
import { requestVerbs } from './intents/phrases.ts'
import type { Clause, Text } from './slots/context.ts'
import { slotOf } from './slots/references.ts'
import type { RecordSlot } from './types.ts'
import type { Concept } from './words/vocabulary.ts'

/** The verbs of requests that a clause has, outside of names. */
export function verbsIn(text: Text, { span, texts, head }: Clause): Set<Concept> {
  const verbs = new Set<Concept>()
  for (let at = span.from; at < span.to; at++) {
    const isNamed = at !== head && text.mentions.some(({ full, from, to }) => full && from <= at && at < to)
    if (texts.has(at) || isNamed) continue
    for (const { concept, verb } of text.readings[at]!) if (verb && requestVerbs.has(concept)) verbs.add(concept)
  }
  return verbs
}

/** The subject comes first, then a verb: what is told is neither asked nor requested. */
export function isStatement(text: Text, clause: Clause): boolean {
  const { tokens } = text
  const start = readOpening(tokens, clause.span.from, clause.span.to).next
  if (/^(i|we|he|she|they|you|someone|my|our)$/.test(tokens[start]?.word ?? '')) return true
  return tokens.slice(start + 1, clause.span.to).some(({ word }, index) => {
    return (
      /^(is|are|was|were|has|have|had|will|took|did|been)$/.test(word) &&
      !text.mentions.some(({ full, from, to }) => full && from <= start + 1 + index && start + 1 + index < to)
    )
  })
}

const courteous =
  /^(thanks?|thank|you|please|much|very|so|a|lot|cheers|for|your|help|sorry|ok|okay|great|cool|perfect|nice|hi|hello|hey|howdy|there|good|morning|afternoon|evening|bot|team|all|everyone|yes|again|in|advance|the|that|it|and|then|also|would|be|if|possible)$/

export function isIdle(text: Text, clause: Clause): boolean {
  return text.tokens
    .slice(clause.span.from, clause.span.to)
    .every(({ kind, word }) => kind === 'mark' || (kind === 'word' && courteous.test(word)))
}

/** A greeting alone. */
export function greets({ tokens }: Text, { span }: Clause): boolean {
  const first = tokens.slice(span.from, span.to).find(({ kind }) => kind === 'word')
  return /^(hi|hello|hey|howdy|help)$/.test(first?.word ?? '')
}

const contextKinds = new Set(['incident', 'maintenance', 'beat', 'beat_group', 'series', 'item', 'action'])

/** The records that a clause names wholly or by number. */
export function named(text: Text, clause: Clause): RecordSlot[] {
  const { from, to } = clause.span
  const full = text.mentions.filter(
    (one) =>
      one.full && one.from >= from && one.to <= to && contextKinds.has(one.name.kind) && !clause.texts.has(one.from),
  )
  const longest = full.filter(
    (one) =>
      !full.some(
        (other) =>
          other.from <= one.from &&
          other.to >= one.to &&
          other.to - other.from > one.to - one.from &&
          other.name.kind !== 'item',
      ),
  )
  const numbered: RecordSlot[] = []
  for (let at = from + 1; at < to; at++) {
    if (!/^\d{1,9}$/.test(text.tokens[at]!.word)) continue
    const kind = text.readings[at - 1]!.find(({ verb, concept }) => !verb && contextKinds.has(concept))?.concept as
      | RecordSlot['kind']
      | undefined
    const record = kind && text.index.of(kind).find(({ id }) => id === Number(text.tokens[at]!.word))
    if (kind && record) numbered.push(slotOf(kind, record))
  }
  const items = full.filter((one) => one.name.kind === 'item')
  return [...numbered, ...[...longest, ...items].map(({ name }) => slotOf(name.kind, name.record))]
}

/** The words of a clause without conjunctions and marks around them. */
export function plainText({ query, tokens }: Text, { from, to }: Span): string {
  let [first, last] = [from, to]
  const isEdge = (at: number) => tokens[at]!.kind === 'mark' || /^(and|then|but|so|also|or)$/.test(tokens[at]!.word)
  while (first < last && isEdge(first)) first++
  while (last > first && isEdge(last - 1)) last--
  return first < last ? query.slice(tokens[first]!.start, tokens[last - 1]!.end) : ''
}
