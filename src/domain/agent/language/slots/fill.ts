import type { Intent, SlotName, TextSlot } from '../intents/intent.ts'
import type { Chunk } from '../times/chunks.ts'
import type { Found, Memory, RecordKind, Slots } from '../types.ts'
import { fillers } from '../words/function-words.ts'
import { type Clause, chunksIn, hasConcept, positions, type Text, within } from './context.ts'
import { fillTimes } from './fill-times.ts'
import { kindsOf } from './kinds.ts'
import { type Leftover, leftoversOf } from './leftovers.ts'
import { referTo, slotOf } from './references.ts'
import type { TextPart } from './texts.ts'

export interface Filled {
  slots: Slots
  unclear: string[]
  /** Words of the vocabulary that neither the phrase nor a slot took. */
  unused: number[]
}

export interface FillScope {
  text: Text
  clause: Clause
  intent: Intent
  /** The words of the phrase. */
  phrase: ReadonlySet<number>
  texts: TextPart[]
  /** What a correction of the last turn keeps. */
  base?: Memory['slots']
}

export function fillSlots(scope: FillScope): Filled {
  const { text, clause, intent, texts } = scope
  const names = new Set([...intent.slots.required, ...intent.slots.optional])
  const slots: Slots = {}
  const used = new Set(scope.phrase)
  const unclear: { from: number; text: string }[] = []
  fillRecords(scope, names, slots, used)
  fillItems(scope, names, slots, used)
  fillStatus(scope, names, slots, used)
  unclear.push(...fillTexts(intent, texts, names, slots))
  const chunks = chunksIn(text, clause)
  const { times, unclear: unread } = fillTimes(chunks, {
    present: {
      now: text.situation.now,
      zone: text.situation.zone,
      direction: intent.kind === 'request' || intent.direction === 'future' ? 'future' : 'past',
    },
    slots: names,
    ...(scope.base ? { base: scope.base } : {}),
    extends: clause.head !== undefined && hasConcept(text, clause.head, 'extend'),
  })
  Object.assign(slots, times)
  unclear.push(
    ...unread
      .filter((chunk) => !range(chunk).every((at) => scope.phrase.has(at)))
      .map((chunk) => ({ from: chunk.from, text: wordsOf(text, chunk) })),
  )
  for (const { from, to } of chunks) for (let at = from; at < to; at++) used.add(at)
  if (names.has('topic')) fillTopic(text, clause, slots)
  for (const leftover of leftoversOf(text, clause, used, intent.kind === 'request')) {
    if (!takeUnknown(intent, names, slots, leftover)) unclear.push(leftover)
  }
  const unused = positions(clause).filter(
    (at) => !used.has(at) && text.readings[at]!.length > 0 && !fillers.has(text.tokens[at]!.word),
  )
  return { slots, unclear: unclear.sort((a, b) => a.from - b.from).map((one) => one.text), unused }
}

const wordsOf = ({ query, tokens }: Text, { from, to }: Chunk) => query.slice(tokens[from]!.start, tokens[to - 1]!.end)

type RecordSlotName = 'item' | 'incident' | 'maintenance' | 'series' | 'beat' | 'action' | 'endpoint'

function fillRecords(
  { text, clause, intent }: FillScope,
  names: ReadonlySet<SlotName>,
  slots: Slots,
  used: Set<number>,
) {
  const order = [...names].filter((name): name is RecordSlotName => name !== 'items' && kindsOf[name] !== undefined)
  const references = order.flatMap((name) => {
    const states = intent.kind === 'request' ? intent.states?.[kindsOf[name]![0]!] : undefined
    const reference = referTo(text, clause, { kinds: kindsOf[name]!, request: intent.kind === 'request', states })
    return reference ? [{ name, reference }] : []
  })
  // The surest reference first: the same words name one record.
  for (const { name, reference } of references.sort((a, b) => b.reference.strength - a.reference.strength)) {
    const taken = references.some(
      (one) => one.name !== name && slots[one.name] && one.reference.used.some((at) => reference.used.includes(at)),
    )
    if (taken) continue
    if (reference.found) slots[name] = reference.found
    for (const at of reference.used) used.add(at)
  }
}

/** All items that a request names. */
function fillItems({ text, clause }: FillScope, names: ReadonlySet<SlotName>, slots: Slots, used: Set<number>) {
  if (!names.has('items')) return
  const mentions = text.mentions
    .filter(
      (one) =>
        one.name.kind === 'item' && within(clause, one) && (one.full || one.score >= 0.4) && one.from !== clause.head,
    )
    .sort((a, b) => Number(b.full) - Number(a.full) || b.to - b.from - (a.to - a.from) || b.score - a.score)
  const taken = new Set<number>()
  const found: { from: number; found: Found }[] = []
  for (const mention of mentions) {
    if (range(mention).some((at) => taken.has(at))) continue
    const rivals = mentions.filter(
      (one) =>
        one.from === mention.from && one.to === mention.to && one.score === mention.score && one.full === mention.full,
    )
    for (const at of range(mention)) taken.add(at)
    const records = new Map(rivals.map(({ name }) => [name.record.id, slotOf('item', name.record)]))
    const [first] = records.values()
    found.push({
      from: mention.from,
      found:
        records.size === 1
          ? first!
          : { kind: 'item', text: wordsAt(text, mention), candidates: [...records.values()].slice(0, 10) },
    })
  }
  const pronoun =
    found.length === 0 ? positions(clause).find((at) => /^(it|this|that|same)$/.test(text.tokens[at]!.word)) : undefined
  const remembered = clause.context.find(({ kind }) => kind === 'item')
  if (pronoun !== undefined && remembered) found.push({ from: pronoun, found: remembered })
  const distinct = found
    .sort((a, b) => a.from - b.from)
    .filter(
      ({ found: one }, index) =>
        !('id' in one) || found.findIndex(({ found: other }) => 'id' in other && other.id === one.id) === index,
    )
  if (distinct.length > 0) slots.items = distinct.map((one) => one.found)
  for (const at of taken) used.add(at)
}

const range = ({ from, to }: { from: number; to: number }) =>
  Array.from({ length: to - from }, (_one, index) => from + index)
const wordsAt = ({ query, tokens }: Text, { from, to }: { from: number; to: number }) =>
  query.slice(tokens[from]!.start, tokens[to - 1]!.end)

function fillStatus(
  { text, clause, intent }: FillScope,
  names: ReadonlySet<SlotName>,
  slots: Slots,
  used: Set<number>,
) {
  if (!names.has('status')) return
  const loose = intent.name === 'item_status_set' || intent.name === 'incident_update'
  const inClause = text.statuses.filter(
    (one) =>
      within(clause, one) &&
      (loose || !one.loose) &&
      !range(one).some(
        (at) => used.has(at) && !hasConcept(text, at, 'outage') && !hasConcept(text, at, 'incident') && one.loose,
      ),
  )
  const chosen = inClause.find((one) => !one.loose) ?? inClause.at(-1)
  if (!chosen) return
  slots.status = chosen.key
  for (const at of range(chosen)) used.add(at)
}

/** A reason is the message of a request that has no reason, and the other way round. */
function kindOfText(slot: TextSlot, names: ReadonlySet<SlotName>): TextSlot {
  if (names.has(slot) || slot === 'title') return slot
  return slot === 'reason' ? 'message' : 'reason'
}

/** Texts with a label, then texts without one in the order of the intent. */
function fillTexts(
  intent: Intent,
  texts: TextPart[],
  names: ReadonlySet<SlotName>,
  slots: Slots,
): { from: number; text: string }[] {
  const unclear: { from: number; text: string }[] = []
  const order = intent.kind === 'request' ? intent.texts : []
  for (const { slot, text, from } of [
    ...texts.filter((one) => one.slot !== 'free'),
    ...texts.filter((one) => one.slot === 'free'),
  ]) {
    const target =
      slot === 'free' ? order.find((one) => names.has(one) && slots[one] === undefined) : kindOfText(slot, names)
    if (target && names.has(target) && slots[target] === undefined) slots[target] = text
    else unclear.push({ from, text })
  }
  return unclear
}

const topics = [
  ['reminder', 'reminder'],
  ['notification', 'notification'],
  ['notification', 'notify'],
  ['post', 'post'],
  ['end', 'end'],
  ['end', 'complete'],
  ['end', 'resolve'],
  ['end', 'close'],
  ['start', 'start'],
  ['start', 'run'],
] as const

function fillTopic(text: Text, clause: Clause, slots: Slots) {
  const inNames = new Set(text.mentions.filter(({ full }) => full).flatMap(range))
  const topic = topics.find(([, concept]) =>
    positions(clause).some((at) => !inNames.has(at) && hasConcept(text, at, concept)),
  )
  if (topic) slots.topic = topic[0]
}

const introducesName =
  /^(on|for|of|about|in|from|with|affecting|to|at|by|and|,|called|named|is|are|does|regarding|the)$/

/** Words that nothing knows are the name of a record that is missing, where a name can stand. */
function takeUnknown(intent: Intent, names: ReadonlySet<SlotName>, slots: Slots, { text, before }: Leftover): boolean {
  if (text.split(/\s+/).length > 5) return false
  const kinds = [...names].filter((name) => kindsOf[name] && slots[name] === undefined)
  const slot = kinds.find((name) => intent.slots.required.includes(name)) ?? kinds[0]
  if (!slot) return false
  const isObject = intent.kind === 'request' && slot !== 'items'
  if (!isObject && !introducesName.test(before) && !intent.slots.required.includes(slot)) return false
  const found: Found = { kind: kindsOf[slot]![0] as RecordKind, text, candidates: [] }
  if (slot === 'items') slots.items = [found]
  else (slots as Record<string, Found>)[slot] = found
  return true
}
