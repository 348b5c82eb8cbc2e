import type { SlotName, TextSlot } from '../intents/intent.ts'
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

/** Texts with a label, then texts without a label in the order of the intent. */
export function fillTexts({ intent, texts, names, slots, unclear }: Filling) {
  const order = intent.kind === 'request' ? intent.texts : []
  const labelled = texts.filter(({ slot }) => slot !== 'free')
  const free = texts.filter(({ slot }) => slot === 'free')
  for (const { slot, text, from } of [...labelled, ...free]) {
    const target =
      slot === 'free' ? order.find((one) => names.has(one) && slots[one] === undefined) : textSlot(slot, names)
    if (target && names.has(target) && slots[target] === undefined) slots[target] = text
    else unclear.push({ from, text })
  }
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

export function fillTopic({ text, clause, names, slots }: Filling) {
  if (!names.has('topic')) return
  const words = clause.words.filter((at) => !isNamed(clause.mentions, at))
  const topic = topics.find(([, concepts]) => words.some((at) => concepts.some((one) => hasConcept(text, at, one))))
  if (topic) slots.topic = topic[0]
}
