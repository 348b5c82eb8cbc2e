import { intentNamed } from './intents/phrases.ts'
import { fillSlots } from './slots/fill-slots.ts'
import type { TextPart } from './slots/texts.ts'
import type { Clause, Text } from './text.ts'
import type { Memory, RecordSlot, Slots, Understanding } from './types.ts'

type Understood = Extract<Understanding, { intent: unknown }>

const continuing = new Set(
  'and what how about make it instead actually rather no same for also then but with on at to from change meant mean try use only call name set that this should be better i would is in the'.split(
    ' ',
  ),
)

/** The records that a pronoun can mean after the last turns, the nearest first. */
export function remembered(memory: Memory | undefined): RecordSlot[] {
  if (!memory) return []
  const ofSlots = Object.values(memory.slots ?? {})
    .flat()
    .filter((value): value is RecordSlot => typeof value === 'object' && value !== null && 'id' in value)
  return [...memory.records, ...ofSlots]
}

/** "And Login?", "tomorrow instead", "make it 23:00": the intent of the last turn with other slots. */
export function continueTurn(text: Text, clause: Clause, texts: TextPart[]): Understood | undefined {
  const { memory } = text.situation
  if (!memory?.intent) return undefined
  const intent = intentNamed(memory.intent)
  const phrase = new Set(clause.words.filter((at) => continuing.has(text.tokens[at]!.word)))
  const base = memory.slots ?? {}
  const { slots, unclear, unused } = fillSlots({ text, clause, intent, phrase, texts, base })
  if (unused.length > 0 || unclear.length > 0 || Object.keys(slots).length === 0) return undefined
  const continued = { kind: intent.kind, intent: intent.name, slots: merge(base, slots), unclear: [] }
  return changeOfCreated(continued, memory) ?? continued
}

/** A correction behind an executed plan changes the record that the plan created, and creates no second one. */
export function changeOfCreated(understood: Understood, { created, records }: Memory): Understood | undefined {
  const intent = intentNamed(understood.intent)
  if (intent.kind !== 'request' || !created || intent.creates !== created.kind) return undefined
  const record = records.find(({ kind, id }) => kind === created.kind && id === created.id)
  if (!record) return undefined
  const { start, end, minutes, status, message, unread } = understood.slots
  const slots: Slots =
    intent.creates === 'maintenance'
      ? { maintenance: record, ...given({ start, end, minutes, unread }) }
      : { incident: record, ...given({ status, message, unread }) }
  const name = intent.creates === 'maintenance' ? 'maintenance_reschedule' : 'incident_update'
  return { ...understood, intent: name, slots }
}

const given = (slots: { [K in keyof Slots]: Slots[K] | undefined }): Slots =>
  Object.fromEntries(Object.entries(slots).filter(([, value]) => value !== undefined))

/** What is corrected replaces what contradicts it. A window keeps its length when its start moves. */
function merge(base: Slots, change: Slots): Slots {
  const { unread: _unread, ...kept }: Slots = base
  if (change.from !== undefined || change.to !== undefined)
    for (const slot of ['from', 'to'] as const) delete kept[slot]
  if (change.until !== undefined || change.end !== undefined) delete kept.minutes
  if (change.minutes !== undefined) for (const slot of ['until', 'end'] as const) delete kept[slot]
  if (['start', 'end', 'minutes', 'shift', 'longer'].some((slot) => slot in change)) {
    delete kept.shift
    delete kept.longer
  }
  if (change.start && base.start && kept.end && !change.end) {
    kept.end = new Date(Date.parse(kept.end) + Date.parse(change.start) - Date.parse(base.start)).toISOString()
  }
  return { ...kept, ...change }
}
