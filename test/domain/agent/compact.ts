import type { Found, RecordKind, Slots } from '../../../src/domain/agent/language/types.ts'

const kinds: Partial<Record<keyof Slots, RecordKind>> = { items: 'item' }

/** Slots as the tables write them. */
export function compact({ unread: _unread, ...slots }: Slots): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(slots).map(([slot, value]) => {
      const kind = kinds[slot as keyof Slots] ?? slot
      if (Array.isArray(value)) return [slot, value.map((one) => compactRecord(one, kind))]
      return [slot, typeof value === 'object' ? compactRecord(value as Found, kind) : value]
    }),
  )
}

function compactRecord(found: Found, kind: string) {
  if ('id' in found) return found.kind === kind ? found.id : `${found.kind} ${found.id}`
  return found.candidates.length > 0 ? { oneOf: found.candidates.map(({ id }) => id) } : { unknown: found.text }
}

const moments = ['start', 'end', 'until', 'at', 'from', 'to']

/** Moments with seconds and milliseconds. */
export function complete(expected: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(expected).map(([slot, value]) => [
      slot,
      moments.includes(slot) ? new Date(value as string).toISOString() : value,
    ]),
  )
}
