import { cut } from '../../../kernel/text-rules.ts'
import type { Payload } from './payload-rules.ts'

type Json = Record<string, unknown>

/** The longest text and the longest list, tried in turn until the payload is small enough. */
const bounds = [
  { text: Number.POSITIVE_INFINITY, list: Number.POSITIVE_INFINITY },
  { text: 4000, list: 100 },
  { text: 2000, list: 40 },
  { text: 1000, list: 15 },
  { text: 300, list: 5 },
  { text: 100, list: 2 },
]

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/**
 * A payload of at most so many bytes. The record loses its oldest updates first, then texts and lists are cut. A payload
 * that lost something has `truncated: true`.
 */
export function shrunk(payload: Payload, kind: string, most: number): Payload {
  if (bytesOf(payload) <= most) return payload
  for (const { text, list } of bounds) {
    const data = withinBounds(
      { ...payload.data, [kind]: withoutUpdates(payload.data[kind] as Json) },
      text,
      list,
    ) as Json
    const small = { ...payload, data: { ...data, truncated: true } }
    if (bytesOf(small) > most) continue
    const updates = updatesIn(payload.data[kind] as Json).map((update) => withinBounds(update, text, list) as Json)
    return updates.length === 0 ? small : withNewest(small, kind, updates, most)
  }
  return withoutContent(payload, kind)
}

const updatesIn = ({ updates }: Json): Json[] => (Array.isArray(updates) ? updates : [])

const withoutUpdates = (record: Json): Json => ('updates' in record ? { ...record, updates: [] } : record)

/** Keeps as many of the newest updates as fit, in their order. */
function withNewest(small: Payload, kind: string, updates: Json[], most: number): Payload {
  let left = most - bytesOf(small)
  const kept = new Set<Json>()
  for (const update of updates.toSorted((a, b) => Number(b.id) - Number(a.id))) {
    left -= bytesOf(update) + 1
    if (left < 0) break
    kept.add(update)
  }
  const record = { ...(small.data[kind] as Json), updates: updates.filter((update) => kept.has(update)) }
  return { ...small, data: { ...small.data, [kind]: record } }
}

/** A URL is kept whole, because a part of it leads elsewhere. */
function withinBounds(value: unknown, text: number, list: number, name = ''): unknown {
  if (typeof value === 'string') return value.length <= text || /url$/.test(name) ? value : `${cut(value, text - 1)}…`
  if (Array.isArray(value)) return value.slice(0, list).map((part) => withinBounds(part, text, list))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withinBounds(part, text, list, key)]))
}

/** What identifies the notification: the rest of such a record can be read through the API. */
function withoutContent({ type, timestamp, data }: Payload, kind: string): Payload {
  const { event_id, sequence, page } = data
  const { id, name } = page as { id: number; name: string }
  const { id: recordId } = data[kind] as Json
  return {
    type,
    timestamp,
    data: { event_id, sequence, page: { id, name: cut(name, 100) }, [kind]: { id: recordId }, truncated: true },
  }
}
