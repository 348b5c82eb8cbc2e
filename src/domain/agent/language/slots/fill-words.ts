import type { SlotName, TextSlot } from '../intents/intent.ts'
import { plain } from '../lexing/lexer.ts'
import { hasConcept, isNamed, positionsOf } from '../text.ts'
import type { Filling } from './filling.ts'

/** A status type. Other words for a status count only where a status is what is set, and outside of names. */
export function fillStatus({ text, clause, intent, names, slots, used }: Filling) {
  if (!names.has('status')) return
  const takesOthers = intent.name === 'item_status_set' || intent.name === 'incident_update'
  const isTaken = (at: number) => used.has(at) && !hasConcept(text, at, 'incident')
  const others = takesOthers ? clause.statuses.filter((one) => one.loose && !positionsOf(one).some(isTaken)) : []
  const chosen = clause.statuses.find(({ loose }) => !loose) ?? others.at(-1)
  if (!chosen) return
  slots.status = chosen.key
  for (const at of positionsOf(chosen)) used.add(at)
}

export function fillStage({ clause, names, slots, used }: Filling) {
  const [stage] = names.has('stage') ? clause.stages : []
  if (!stage) return
  slots.stage = stage.name
  for (const at of positionsOf(stage)) used.add(at)
}

/** Texts with a label, then texts without a label in the order of the intent. */
export function fillTexts(filling: Filling) {
  const { intent, texts, names, slots, unclear } = filling
  const order = intent.kind === 'request' ? intent.texts : []
  const labelled = texts.filter(({ slot }) => slot !== 'free')
  const free = texts.filter(({ slot }) => slot === 'free')
  for (const part of [...labelled, ...free]) {
    if (part.slot === 'free' && takeStatus(filling, part.text)) continue
    const open = order.find((one) => names.has(one) && slots[one] === undefined)
    const target = part.slot === 'free' ? open : textSlot(part.slot, names)
    const [text, rest] = target === 'title' && !part.quoted ? firstSentence(part.text) : [part.text, '']
    if (target && names.has(target) && slots[target] === undefined) slots[target] = text
    else unclear.push({ from: part.from, text })
    if (rest && names.has('message') && slots.message === undefined) slots.message = rest
    else if (rest) unclear.push({ from: part.from, text: rest })
  }
}

/** `set checkout: "Major outage"`: the text is the name of a status type. */
function takeStatus({ text, names, slots }: Filling, written: string): boolean {
  const isSame = (one: string) => plain(one) === plain(written)
  const type = text.situation.statusTypes.find(({ key, name }) => isSame(key) || isSame(name))
  if (!type || !names.has('status') || slots.status !== undefined) return false
  slots.status = type.key
  return true
}

/** A title is one sentence. */
function firstSentence(text: string): [string, string] {
  const end = /[.!?](?=\s)|\n/.exec(text)?.index
  if (end === undefined) return [text, '']
  return [text.slice(0, end).trim(), text.slice(end + 1).trim()]
}

/** A reason is the message of a request that has no reason, and the other way round. */
function textSlot(slot: TextSlot, names: ReadonlySet<SlotName>): TextSlot {
  if (names.has(slot) || slot === 'title') return slot
  return slot === 'reason' ? 'message' : 'reason'
}

const topics = [
  ['reminder', ['reminder']],
  ['notification', ['notification', 'notify']],
  ['post', ['post']],
  ['end', ['end', 'complete', 'resolve', 'close']],
  ['start', ['start', 'run']],
] as const

export function fillTopic({ text, clause, intent, names, slots }: Filling) {
  // "The resolved incidents" are past incidents; "resolved yesterday" is about the end.
  if (!names.has('topic') || (intent.name === 'incidents_past' && clause.chunks.length === 0)) return
  const words = clause.words.filter((at) => !isNamed(clause.mentions, at))
  const topic = topics.find(([, concepts]) => words.some((at) => concepts.some((one) => hasConcept(text, at, one))))
  if (topic) slots.topic = topic[0]
}
