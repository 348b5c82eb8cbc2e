import { unknownRecord } from '../references/found.ts'
import { referTo } from '../references/refer.ts'
import type { Found } from '../types.ts'
import type { Filling } from './filling.ts'
import { kindsOf } from './kinds.ts'
import type { Remainder } from './remainders.ts'

type RecordSlotName = 'item' | 'incident' | 'maintenance' | 'series' | 'beat' | 'action' | 'endpoint'

/** The surest reference first: the same words name one record. */
export function fillRecords({ text, clause, intent, names, slots, used }: Filling) {
  const order = [...names].filter((name): name is RecordSlotName => name !== 'items' && kindsOf[name] !== undefined)
  const references = order.flatMap((name) => {
    const kinds = kindsOf[name]!
    const states = intent.kind === 'request' ? intent.states?.[kinds[0]!] : undefined
    const reference = referTo(text, clause, { kinds, request: intent.kind === 'request', states })
    return reference ? [{ name, reference }] : []
  })
  const taken = new Set<number>()
  for (const { name, reference } of references.sort((a, b) => b.reference.strength - a.reference.strength)) {
    if (reference.used.some((at) => taken.has(at))) continue
    if (reference.found) {
      slots[name] = reference.found
      for (const at of reference.used) taken.add(at)
    }
    for (const at of reference.used) used.add(at)
  }
}

const introducing = /^(on|for|of|about|in|from|with|affecting|to|at|by|and|,|called|named|is|are|does|regarding|the)$/
const LONGEST_NAME = 5

/** Words that nothing knows are the name of a record that is missing, where a name can stand. */
export function takeUnknown({ intent, names, slots }: Filling, { text, before }: Remainder): boolean {
  if (text.split(/\s+/).length > LONGEST_NAME) return false
  const open = [...names].filter((name) => kindsOf[name] && slots[name] === undefined)
  const slot = open.find((name) => intent.slots.required.includes(name)) ?? open[0]
  if (!slot) return false
  const isObject = intent.kind === 'request' && slot !== 'items'
  if (!isObject && !introducing.test(before) && !intent.slots.required.includes(slot)) return false
  const found = unknownRecord(kindsOf[slot]![0]!, text)
  if (slot === 'items') slots.items = [found]
  else (slots as Record<string, Found>)[slot] = found
  return true
}
