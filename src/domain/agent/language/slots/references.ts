import { plain } from '../lexing/lexer.ts'
import type { Mention } from '../names/mentions.ts'
import { wordsOf } from '../names/name-index.ts'
import type { Found, NamedRecord, RecordKind, RecordSlot } from '../types.ts'
import { functionWords } from '../words/function-words.ts'
import type { Concept } from '../words/vocabulary.ts'
import { type Clause, chunksIn, positions, type Text, within } from './context.ts'

/** How a clause refers to a record, and how surely: a number or name is sure, a pronoun less, a noun alone least. */
export interface Reference {
  found: Found | undefined
  used: number[]
  strength: number
}

export interface Wanted {
  kinds: RecordKind[]
  request: boolean
  /** The states that the intent is usually about. */
  states?: string[] | undefined
}

const nouns: Record<RecordKind, Concept[]> = {
  item: ['item'],
  incident: ['incident', 'problem'],
  maintenance: ['maintenance', 'window', 'work'],
  series: ['series', 'occurrence'],
  beat: ['beat', 'check'],
  beat_group: ['group', 'beat'],
  action: ['action', 'review'],
  endpoint: ['endpoint'],
}
const stateWords: Record<string, string> = {
  ...{
    running: 'in_progress',
    ongoing: 'in_progress',
    current: 'in_progress',
    active: 'in_progress',
    'in-progress': 'in_progress',
  },
  ...{ scheduled: 'scheduled', planned: 'scheduled', upcoming: 'scheduled', pending: 'scheduled' },
}
const openWords = /^(open|active|ongoing|current|running|unresolved|pending|waiting)$/
const definite = new Set(['the', 'this', 'that', 'our', 'said'])
const indefinite = new Set(['a', 'an', 'any', 'another', 'new', 'no', 'some', 'many', 'more'])
const pronouns = new Set(['it', 'this', 'that', 'its', 'them', 'one', 'same'])
const MOST_CANDIDATES = 10

export function referTo(text: Text, clause: Clause, wanted: Wanted): Reference | undefined {
  const nounsAt = nounPositions(text, clause, wanted)
  return (
    byNumber(text, clause, wanted, nounsAt) ??
    byQuote(text, clause, wanted, nounsAt) ??
    byName(text, clause, wanted, nounsAt) ??
    byItem(text, clause, wanted, nounsAt) ??
    byState(text, clause, wanted, nounsAt) ??
    byMemory(text, clause, wanted, nounsAt)
  )
}

function nounPositions(text: Text, clause: Clause, { kinds }: Wanted): number[] {
  const concepts = new Set(kinds.flatMap((kind) => nouns[kind]))
  return positions(clause).filter(
    (at) => at !== clause.head && text.readings[at]!.some(({ concept, verb }) => !verb && concepts.has(concept)),
  )
}

/** `incident 41`, `#41`. */
function byNumber(text: Text, clause: Clause, wanted: Wanted, nounsAt: number[]): Reference | undefined {
  const isTime = timesOf(text, clause)
  for (const noun of nounsAt) {
    const number = [noun + 1, noun + 2].find(
      (at) =>
        at < clause.span.to &&
        isNumber(text, at) &&
        (at === noun + 1 || /^(number|no|id|nr|is)$/.test(text.tokens[noun + 1]!.word)),
    )
    if (number !== undefined && !clause.texts.has(number))
      return numbered(text, wanted, number, [noun, noun + 1, number])
  }
  const inNames = new Set(text.mentions.filter(({ full }) => full).flatMap(({ from, to }) => range(from, to)))
  for (const at of positions(clause)) {
    if (!isNumber(text, at) || isTime.has(at) || inNames.has(at) || followsOtherNoun(text, at)) continue
    const reference = numbered(text, wanted, at, [at])
    if (reference.strength > 3 || (wanted.request && followsHead(text, clause, at)))
      return { ...reference, strength: Math.min(reference.strength, 3.2) }
  }
  return undefined
}

const isNumber = (text: Text, at: number) =>
  /^\d{1,9}$/.test(text.tokens[at]?.word ?? '') && text.tokens[at]!.kind === 'number'

function numbered(text: Text, { kinds }: Wanted, at: number, used: number[]): Reference {
  const id = Number(text.tokens[at]!.word)
  for (const kind of kinds) {
    const record = text.index.of(kind).find((one) => one.id === id)
    if (record) return { found: slotOf(kind, record), used, strength: 4 }
  }
  return { found: { kind: kinds[0]!, text: text.tokens[at]!.word, candidates: [] }, used, strength: 3 }
}

const followsOtherNoun = (text: Text, at: number) =>
  at > 0 &&
  text.readings[at - 1]!.some(
    ({ concept, verb }) => !verb && Object.values(nouns).some((list) => list.includes(concept)),
  )

const followsHead = (_text: Text, clause: Clause, at: number) => clause.head !== undefined && at === clause.head + 1

/** A name in quotes, or in code. */
function byQuote(text: Text, clause: Clause, { kinds }: Wanted, nounsAt: number[]): Reference | undefined {
  for (const at of positions(clause)) {
    const token = text.tokens[at]!
    if (token.kind !== 'quote' && token.kind !== 'code') continue
    const letters = wordsOf(token.text).join('')
    const names = letters ? text.index.called(letters) : []
    const near =
      names.length > 0 || letters.length > 80 ? names : text.index.called(text.index.nearestLetters(letters) ?? '')
    const named = near.filter(({ kind }) => kinds.includes(kind))
    if (named.length > 0)
      return {
        found: foundOf(token.text, named),
        used: [at, ...nounsAt.filter((noun) => Math.abs(noun - at) === 1)],
        strength: 4,
      }
    if (
      token.kind === 'quote' &&
      nounsAt.includes(at - 1) &&
      definite.has(text.tokens[at - 2]?.word ?? 'the') &&
      clause.head !== undefined
    ) {
      return { found: { kind: kinds[0]!, text: token.text, candidates: [] }, used: [at, at - 1], strength: 3 }
    }
  }
  return undefined
}

/** The name or a part of it. A part that is the whole name of a record of another kind needs a noun, or a verb of a request. */
function byName(text: Text, clause: Clause, wanted: Wanted, nounsAt: number[]): Reference | undefined {
  const mentions = text.mentions.filter(
    (one) => within(clause, one) && !range(one.from, one.to).every((at) => at === clause.head),
  )
  const own = mentions.filter(({ name }) => wanted.kinds.includes(name.kind))
  const times = timesOf(text, clause)
  const rated = own
    .map((mention) => ({ mention, ...rate(text, clause, wanted, nounsAt, mention, mentions) }))
    .filter(
      ({ strength, mention }) =>
        strength > 0 && (mention.full || !range(mention.from, mention.to).some((at) => times.has(at))),
    )
  if (rated.length === 0) return undefined
  const strength = Math.max(...rated.map((one) => one.strength))
  const strongest = rated.filter((one) => one.strength === strength)
  const score = Math.max(...strongest.map((one) => size(one.mention)))
  const best = strongest.filter((one) => size(one.mention) >= score - 0.01)
  const first = best.reduce((one, other) => (other.mention.from < one.mention.from ? other : one))
  const same = best.filter(({ mention }) => mention.from < first.mention.to && first.mention.from < mention.to)
  const names = preferred(
    same.map(({ mention }) => mention.name),
    wanted.states,
  )
  const words = text.query.slice(text.tokens[first.mention.from]!.start, text.tokens[first.mention.to - 1]!.end)
  return {
    found: foundOf(words, names),
    used: [...range(first.mention.from, first.mention.to), ...first.noun],
    strength,
  }
}

const size = ({ full, from, to, score }: Mention) => (full ? 1 + score + (to - from) / 10 : score)

function rate(text: Text, clause: Clause, wanted: Wanted, nounsAt: number[], mention: Mention, all: Mention[]) {
  const { request, kinds } = wanted
  const { from, to, full } = mention
  const after = nounsAt.find((noun) => noun === to || (noun >= from && noun < to && to - from > 1))
  const before = nounsAt.find((noun) => noun < from && noun >= from - 3 && !clauseBreaks(text, noun, from))
  const noun = after ?? before
  if (range(from, to).every((at) => nounsAt.includes(at)) && !full) return { strength: 0, noun: [] }
  const used = noun === undefined ? [] : [noun]
  if (full) return { strength: rateFull(text, wanted, mention, all), noun: used }
  const weak = range(from, to).every((at) => text.readings[at]!.length > 0 || functionWords.has(text.tokens[at]!.word))
  const contested = all.some(
    (one) =>
      one.full && !kinds.includes(one.name.kind) && one.from < to && from < one.to && one.to - one.from >= to - from,
  )
  const isSingular = noun !== undefined && text.readings[noun]!.some(({ form, verb }) => form === 'base' && !verb)
  const isIndefinite =
    noun !== undefined &&
    [1, 2, 3].some(
      (back) =>
        indefinite.has(text.tokens[Math.min(noun, from) - back]?.word ?? '') &&
        !clauseBreaks(text, Math.min(noun, from) - back, Math.min(noun, from)),
    )
  if (noun !== undefined && isSingular && !isIndefinite) {
    const isDefinite = after !== undefined || definite.has(text.tokens[noun - 1]?.word ?? '') || request
    if (isDefinite) return { strength: weak ? 2.8 : 3, noun: used }
  }
  if (isIndefinite || (noun !== undefined && !isSingular && !request)) return { strength: 0, noun: [] }
  if (weak)
    return { strength: request && !contested && range(from, to).every((at) => at !== clause.head) ? 1.4 : 0, noun: [] }
  if (contested) return { strength: request ? 1.2 : 0, noun: [] }
  return { strength: 2.6, noun: [] }
}

/** A whole name is less sure inside of a longer name, and before the noun of another kind: "the checkout incident" is no item. */
function rateFull(text: Text, { kinds, request }: Wanted, { from, to }: Mention, all: Mention[]): number {
  const around = all.filter((one) => one.full && one.from <= from && one.to >= to && one.to - one.from > to - from)
  if (around.some(({ name }) => kinds.includes(name.kind))) return request ? 3.5 : 0
  const attributive = (text.readings[to] ?? []).some(
    ({ concept, verb, form }) => !verb && form === 'base' && otherNouns(kinds).has(concept),
  )
  return attributive || (around.length > 0 && !request) ? 1.1 : 3.5
}

const otherNouns = (kinds: RecordKind[]) =>
  new Set(
    (['incident', 'maintenance', 'beat', 'action'] as const)
      .filter((kind) => !kinds.includes(kind))
      .flatMap((kind) => nouns[kind])
      .filter((concept) => concept !== 'problem' && !kinds.some((own) => nouns[own].includes(concept))),
  )

const clauseBreaks = (text: Text, from: number, to: number) =>
  text.tokens.slice(Math.max(0, from + 1), to).some(({ kind }) => kind === 'mark')

/** An incident or maintenance by the item that it affects: `the maintenance on Payments API`. */
function byItem(
  text: Text,
  clause: Clause,
  { kinds, request, states }: Wanted,
  nounsAt: number[],
): Reference | undefined {
  const kind = kinds[0]!
  if (kind !== 'incident' && kind !== 'maintenance') return undefined
  const noun = nounsAt.find(
    (at) =>
      text.readings[at]!.some(({ form, verb }) => form === 'base' && !verb) &&
      ![1, 2, 3].some((back) => indefinite.has(text.tokens[at - back]?.word ?? '')),
  )
  if (noun === undefined && (!request || nounsAt.length > 0)) return undefined
  const item = text.mentions
    .filter((one) => one.name.kind === 'item' && within(clause, one) && (one.full || one.score >= 0.4))
    .sort((a, b) => size(b) - size(a))[0]
  if (!item) return undefined
  const isNear = noun !== undefined && (item.to === noun || definite.has(text.tokens[noun - 1]?.word ?? '') || request)
  if (noun !== undefined && !isNear) return undefined
  const records = text.index.of(kind).filter((record) => record.items?.includes(item.name.record.id))
  const chosen = preferredRecords(records, states ?? (kind === 'incident' ? ['open'] : ['scheduled', 'in_progress']))
  const words = text.query.slice(text.tokens[item.from]!.start, text.tokens[item.to - 1]!.end)
  const used = [...range(item.from, item.to), ...(noun === undefined ? [] : [noun])]
  if (chosen.length === 0)
    return noun === undefined ? undefined : { found: { kind, text: words, candidates: [] }, used, strength: 2.2 }
  return { found: choose(kind, words, chosen), used, strength: noun === undefined ? 1.1 : 2.9 }
}

/** `the running maintenance`, `all incidents`, `the pending review`. */
function byState(
  text: Text,
  clause: Clause,
  { kinds, request, states }: Wanted,
  nounsAt: number[],
): Reference | undefined {
  const [kind, noun] = [kinds[0]!, nounsAt[0]]
  if (noun === undefined || !request) return undefined
  const before = [1, 2, 3].map((back) => text.tokens[noun - back]?.word ?? '')
  const all = before.some((word) => /^(all|every|both|each)$/.test(word))
  const state = kind === 'maintenance' ? before.map((word) => stateWords[word]).find(Boolean) : undefined
  const open = kind !== 'maintenance' && before.some((word) => openWords.test(word))
  if (!all && !state && !open) return undefined
  const records = text.index.of(kind)
  const chosen = state ? records.filter((one) => one.state === state) : preferredRecords(records, states)
  const words = text.query.slice(text.tokens[Math.max(clause.span.from, noun - 1)]!.start, text.tokens[noun]!.end)
  const used = [noun, noun - 1, noun - 2].filter((at) => at >= clause.span.from && at !== clause.head)
  if (chosen.length === 0) return { found: undefined, used, strength: 2 }
  return { found: choose(kind, words, chosen), used, strength: 2.5 }
}

/** `it`, `that incident`, `the incident`, by what the thread was about. */
function byMemory(text: Text, clause: Clause, { kinds, request }: Wanted, nounsAt: number[]): Reference | undefined {
  const noun = nounsAt.find((at) => !text.readings[at]!.every(({ form }) => form === 'plural'))
  const pronoun = positions(clause).find((at) => pronouns.has(text.tokens[at]!.word) && !nounsAt.includes(at + 1))
  const isDefinite = noun !== undefined && [1, 2].some((back) => definite.has(text.tokens[noun - back]?.word ?? ''))
  const alone = request && noun === undefined && pronoun === undefined && positions(clause).length <= 2
  const record = clause.context.find((one) => kinds.includes(one.kind))
  const article = noun !== undefined && isDefinite ? noun - 1 : undefined
  const used = [noun, article, pronoun].filter((at) => at !== undefined)
  if (
    record &&
    (isDefinite || pronoun !== undefined || alone || (request && noun !== undefined && !isIndefiniteAt(text, noun)))
  ) {
    return {
      found: record,
      used,
      strength: noun !== undefined ? 2.5 : clause.context[0]?.kind === record.kind ? 2.3 : 1.9,
    }
  }
  if (!request) return undefined
  if (noun !== undefined && !isIndefiniteAt(text, noun)) return { found: undefined, used, strength: 1.5 }
  return pronoun !== undefined && clause.context.length === 0 ? { found: undefined, used, strength: 0.5 } : undefined
}

const isIndefiniteAt = (text: Text, noun: number) =>
  [1, 2].some((back) => indefinite.has(text.tokens[noun - back]?.word ?? ''))

const range = (from: number, to: number) => Array.from({ length: to - from }, (_one, index) => from + index)

const timesOf = (text: Text, clause: Clause) =>
  new Set(chunksIn(text, clause).flatMap(({ from, to }) => range(from, to)))

export const slotOf = (kind: RecordKind, { id, name }: NamedRecord): RecordSlot => ({ kind, id, name })

interface NameOfRecord {
  kind: RecordKind
  record: NamedRecord
}

/** Records in the states that the intent is about, if any is. */
function preferred<N extends NameOfRecord>(names: N[], states: string[] | undefined): N[] {
  const matching = states
    ? names.filter(({ record }) => record.state === undefined || states.includes(record.state))
    : names
  return matching.length > 0 ? matching : names
}

function preferredRecords(records: readonly NamedRecord[], states: string[] | undefined): NamedRecord[] {
  return preferred(
    records.map((record) => ({ kind: 'item' as RecordKind, record })),
    states,
  ).map(({ record }) => record)
}

const choose = (kind: RecordKind, text: string, records: NamedRecord[]): Found =>
  foundOf(
    text,
    records.map((record) => ({ kind, record })),
  )

/** One record, or several candidates; a name written in the same letters, case included, wins. */
function foundOf(text: string, names: NameOfRecord[]): Found {
  const distinct = [...new Map(names.map((one) => [`${one.kind} ${one.record.id}`, one])).values()]
  const exact = distinct.filter(({ record }) => record.name === text)
  const similar = exact.length > 0 ? exact : distinct.filter(({ record }) => plain(record.name) === plain(text))
  const chosen = similar.length > 0 ? similar : distinct
  if (chosen.length === 1) return slotOf(chosen[0]!.kind, chosen[0]!.record)
  return {
    kind: chosen[0]!.kind,
    text,
    candidates: chosen.slice(0, MOST_CANDIDATES).map(({ kind, record }) => slotOf(kind, record)),
  }
}
