import type { Clause, Text } from '../text.ts'
import { positionsOf, writtenWords } from '../text.ts'
import type { Slots } from '../types.ts'
import { fillers } from '../words/function-words.ts'
import type { Concept } from '../words/vocabulary.ts'
import { fillItems } from './fill-items.ts'
import { fillRecords, takeUnknown } from './fill-records.ts'
import { fillTimes, type WindowChange } from './fill-times.ts'
import { fillStage, fillStatus, fillTexts, fillTopic } from './fill-words.ts'
import type { Filling, FillScope } from './filling.ts'
import { type Remainder, remaindersOf } from './remainders.ts'

export interface Filled {
  slots: Slots
  unclear: string[]
  /** Words of the vocabulary that neither the phrase nor a slot took. */
  unused: number[]
}

/** Reads the slots of an intent; what remains is the name of a missing record, or unclear. */
export function fillSlots(scope: FillScope): Filled {
  const { text, clause, intent } = scope
  const names = new Set([...intent.slots.required, ...intent.slots.optional])
  const filling: Filling = { ...scope, names, slots: {}, used: new Set(scope.phrase), unclear: [] }
  fillRecords(filling)
  fillItems(filling)
  fillStatus(filling)
  fillStage(filling)
  fillTexts(filling)
  fillTopic(filling)
  addTimes(filling)
  for (const remainder of remaindersOf(text, clause, filling.used, intent.kind === 'request')) {
    const isIgnored = intent.kind === 'question' && !isIntroduced(remainder)
    if (!takeUnknown(filling, remainder) && !isIgnored) filling.unclear.push(remainder)
  }
  const isUnused = (at: number) =>
    !filling.used.has(at) && text.readings[at]!.length > 0 && !fillers.has(text.tokens[at]!.word)
  const unclear = filling.unclear.sort((a, b) => a.from - b.from).map((one) => one.text)
  return { slots: filling.slots, unclear, unused: clause.words.filter(isUnused) }
}

/** In a question only what can be a name, or a second question, is worth a mention. */
const isIntroduced = ({ before }: Remainder) => /^(on|for|of|about|in|from|with|by|since|and|or|then|,)$/.test(before)

function addTimes({ text, clause, intent, phrase, names, slots, used, unclear, base }: Filling) {
  const { now, zone } = text.situation
  const direction = intent.kind === 'request' || intent.direction === 'future' ? 'future' : 'past'
  const change = intent.name === 'maintenance_reschedule' ? windowChange(text, clause) : undefined
  const filled = fillTimes(clause.chunks, { present: { now, zone, direction }, slots: names, base, change })
  Object.assign(slots, filled.times)
  for (const chunk of filled.unclear) {
    const isCourtesy = positionsOf(chunk).every((at) => phrase.has(at))
    if (isCourtesy) continue
    const written = writtenWords(text, chunk)
    unclear.push({ from: chunk.from, text: written })
    if (intent.kind === 'request') slots.unread = [...(slots.unread ?? []), written]
  }
  for (const at of clause.times) used.add(at)
}

/** How the verb changes the window of a maintenance. */
function windowChange({ tokens, readings }: Text, { head, words }: Clause): WindowChange {
  const is = (concept: Concept) => head !== undefined && readings[head]!.some((one) => one.concept === concept)
  const word = head === undefined ? '' : tokens[head]!.word
  if (is('extend')) return word.startsWith('shorten') ? 'shortening' : 'extension'
  // "Forward" can be earlier or later.
  if (words.some((at) => /^(earlier|sooner|forward|forwards|ahead|up)$/.test(tokens[at]!.word))) return 'advance'
  return /^(postpon|delay|defer|push)/.test(word) ? 'delay' : 'move'
}
