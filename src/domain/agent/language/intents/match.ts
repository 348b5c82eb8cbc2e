import { referTo } from '../references/refer.ts'
import type { Reference } from '../references/search.ts'
import { kindsOf } from '../slots/kinds.ts'
import { type Clause, positionsOf, type Text } from '../text.ts'
import type { Chunk } from '../times/chunks.ts'
import type { RecordKind } from '../types.ts'
import { fillers, functionWords } from '../words/function-words.ts'
import type { Concept } from '../words/vocabulary.ts'
import type { Intent, SlotName } from './intent.ts'
import type { Alternative, Mark, Part, Phrase } from './phrases.ts'

export interface Match<I extends Intent> {
  intent: I
  score: number
  /** The words of the phrase. */
  used: Set<number>
}

/** Words that say little about what is asked. */
const light: ReadonlySet<Concept> = new Set([
  'what',
  'how',
  'any',
  'when',
  'who',
  'can',
  'do',
  'everything',
  'on',
  'up',
  'off',
  'back',
  'you',
])
const LEAST = 1.1
/** The weight of a reference by number or by the whole name. */
const SURE = 3.2
/** The weight of a name that no record has. */
const UNKNOWN = 0.4

/** The phrase that explains most of a clause. */
export function bestMatch<I extends Intent>(phrases: Phrase<I>[], text: Text, clause: Clause): Match<I> | undefined {
  const reader = new ClauseReader(text, clause)
  let best: Match<I> | undefined
  for (const { intent, parts } of phrases) {
    const match = reader.match(intent, parts)
    if (match && match.score >= LEAST && match.score > (best?.score ?? 0) + 0.001) best = { intent, ...match }
  }
  return best
}

class ClauseReader {
  private readonly concepts = new Map<Concept, number[]>()
  private readonly references = new Map<string, Reference | undefined>()
  private readonly text: Text
  private readonly clause: Clause
  /** Words in the names of records, which count less as words of their own. */
  private readonly named: Set<number>

  constructor(text: Text, clause: Clause) {
    this.text = text
    this.clause = clause
    const names = clause.mentions.filter(({ full, from, to }) => full && to - from > 1)
    this.named = new Set(names.flatMap(positionsOf))
    for (const at of clause.words) {
      for (const { concept } of text.readings[at]!) {
        const list = this.concepts.get(concept)
        if (!list) this.concepts.set(concept, [at])
        else if (list.at(-1) !== at) list.push(at)
      }
    }
  }

  match(intent: Intent, parts: Part[]): { score: number; used: Set<number> } | undefined {
    const used = new Set<number>()
    let score = 0
    const { head } = this.clause
    const rest = [...parts]
    if (intent.kind === 'request') {
      const verb = rest.shift()!
      const isVerb = verb.alternatives.some(
        (one) => 'concept' in one && this.concepts.get(one.concept)?.includes(head ?? -1),
      )
      if (!isVerb) return undefined
      used.add(head!)
      score += 2
    }
    if (!rest.every((part) => this.mayHave(part))) return undefined
    if (intent.kind === 'request' && intent.without?.some((concept) => this.hasNoun(concept))) return undefined
    if (intent.kind === 'request' && intent.creates && this.namesOne(intent, intent.creates)) return undefined
    const mentioned = new Set<RecordKind>()
    rest.sort((a, b) => order(a) - order(b))
    for (const part of rest) {
      const found = this.find(intent, part, used, mentioned)
      if (!found && !part.optional) return undefined
      score += found ?? 0
    }
    if (intent.kind === 'request' && used.size < 2 && !this.hasMore(used, mentioned)) return undefined
    return { score: score + this.bonus(intent, mentioned, used), used }
  }

  /** Whether a part can be found at all, without looking for references. */
  private mayHave({ alternatives, optional }: Part): boolean {
    return optional || alternatives.some((one) => !('concept' in one) || this.concepts.has(one.concept))
  }

  private hasNoun(concept: Concept): boolean {
    const isNoun = (at: number) => this.text.readings[at]!.some((one) => one.concept === concept && !one.verb)
    return (this.concepts.get(concept) ?? []).some((at) => !this.named.has(at) && isNoun(at))
  }

  /** "Open the checkout incident" makes no incident. */
  private namesOne(intent: Intent, kind: RecordKind): boolean {
    if (this.clause.words.some((at) => isUpdateNoun(this.text, at, kind))) return true
    const reference = this.refer(intent, kind)
    if (!reference?.found || reference.used.length === 0) return false
    const first = Math.min(...reference.used)
    return reference.strength > 3.5 || /^(the|this|that)$/.test(this.text.tokens[first - 1]?.word ?? '')
  }

  /** A verb alone is no request. */
  private hasMore(used: Set<number>, mentioned: Set<RecordKind>): boolean {
    return mentioned.size > 0 || this.clause.words.some((at) => !used.has(at) && this.isContent(at))
  }

  private isContent(at: number): boolean {
    const { kind, word } = this.text.tokens[at]!
    return (
      kind === 'quote' ||
      kind === 'number' ||
      (kind === 'word' && word.length > 2 && !/^(please|thanks|now|the|it|that|this|you|yes)$/.test(word))
    )
  }

  /** The weight of a part, if the clause has it. */
  private find(intent: Intent, part: Part, used: Set<number>, mentioned: Set<RecordKind>): number | undefined {
    let best: { weight: number; take: () => void } | undefined
    for (const one of part.alternatives) {
      const found = this.findOne(intent, one, used, mentioned)
      if (found && found.weight > (best?.weight ?? 0)) best = found
    }
    best?.take()
    return best?.weight
  }

  private findOne(intent: Intent, one: Alternative, used: Set<number>, mentioned: Set<RecordKind>) {
    if ('concept' in one) {
      const at = this.concepts.get(one.concept)?.find((position) => !used.has(position))
      if (at === undefined) return undefined
      const weight = (light.has(one.concept) ? 0.6 : 2) * (this.named.has(at) ? 0.4 : 1)
      return { weight, take: () => used.add(at) }
    }
    if ('mark' in one) {
      return this.isMarked(one.mark) ? { weight: 1.5, take: () => undefined } : undefined
    }
    const reference = this.refer(intent, one.reference) ?? this.unknown(intent, one.reference)
    if (!reference || (one.known && reference.strength < SURE)) return undefined
    const take = () => {
      mentioned.add(one.reference)
      for (const at of reference.used) used.add(at)
    }
    return { weight: reference.strength, take }
  }

  private isMarked(mark: Mark): boolean {
    const { statuses, chunks } = this.clause
    const isNow = ({ value }: Chunk) => value.kind === 'moment' && value.moment.instant === 'now'
    if (mark === '$stage') return this.clause.stages.length > 0
    if (mark === '$status') return statuses.length > 0
    if (mark === '$outage') return statuses.some(({ loose, from }) => !loose && !this.named.has(from))
    if (mark === '$now') return chunks.some(isNow)
    return mark === '$past' ? chunks.some((chunk) => !isNow(chunk)) : chunks.length > 0
  }

  private refer(intent: Intent, kind: RecordKind): Reference | undefined {
    const states = intent.kind === 'request' ? intent.states?.[kind] : undefined
    const key = `${kind} ${intent.kind} ${states?.join() ?? ''}`
    if (!this.references.has(key)) {
      const kinds = kind === 'beat' ? (['beat', 'beat_group'] as RecordKind[]) : [kind]
      this.references.set(key, referTo(this.text, this.clause, { kinds, request: intent.kind === 'request', states }))
    }
    return this.references.get(key)
  }

  /** An item that a question is about, or whose status is set, can have a name that nothing knows. */
  private unknown(intent: Intent, kind: RecordKind): Reference | undefined {
    const isAsked = intent.kind === 'question' && intent.slots.required.some((slot) => kindsOf[slot]?.[0] === kind)
    const isSet =
      intent.kind === 'request' && intent.slots.optional.includes('status') && this.clause.statuses.length > 0
    if (kind !== 'item' || !(isAsked || isSet)) return undefined
    const { tokens, readings } = this.text
    const isName = (at: number) =>
      tokens[at]!.kind === 'word' &&
      readings[at]!.length === 0 &&
      !functionWords.has(tokens[at]!.word) &&
      !fillers.has(tokens[at]!.word)
    return this.clause.words.some(isName) ? { found: undefined, used: [], strength: UNKNOWN } : undefined
  }

  /** What else the intent can take of the clause. */
  private bonus(intent: Intent, mentioned: Set<RecordKind>, used: Set<number>): number {
    let sum = 0
    const slots = [...intent.slots.required, ...intent.slots.optional]
    for (const slot of slots) {
      const kind = kindsOf[slot]?.[0]
      const reference = kind && !mentioned.has(kind) ? this.refer(intent, kind) : undefined
      const isOther = reference && !(mentioned.size > 0 && reference.used.some((at) => used.has(at)))
      if (isOther) sum += Math.max(0, reference.strength - 0.3) * 0.9
    }
    const takesTime = slots.some((slot) => ['from', 'at', 'start', 'until', 'date', 'days', 'minutes'].includes(slot))
    if (takesTime && this.clause.chunks.length > 0) sum += 1
    return this.missesRecord(slots) ? sum - 1.5 : sum
  }

  /** The clause has the whole name, of several words, of a record that the intent cannot take. */
  private missesRecord(slots: SlotName[]): boolean {
    const kinds = new Set(slots.flatMap((slot) => kindsOf[slot] ?? []))
    const names = this.clause.mentions.filter(({ full, from, to }) => full && to - from > 1)
    return names.length > 0 && !names.some(({ name }) => kinds.has(name.kind))
  }
}

/** "Post an incident update" makes no incident. */
const isUpdateNoun = ({ readings }: Text, at: number, kind: RecordKind): boolean =>
  readings[at]!.some(({ concept, verb }) => !verb && concept === kind) &&
  (readings[at + 1] ?? []).some(({ concept, verb }) => !verb && concept === 'update')

/** References first, so that the words of names are taken before concepts are looked for. */
const order = (part: Part) => (part.alternatives.some((one) => 'reference' in one) ? 0 : 1)
