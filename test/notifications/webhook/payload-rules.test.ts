import { expect, test } from '@jest/globals'
import { payloadOf } from '../../../src/domain/notifications/channels/webhook/payload-rules.ts'
import { content, event } from './messages.ts'

const bytesOf = (payload: unknown) => Buffer.byteLength(JSON.stringify(payload))
const page = { id: 1, name: 'Example', url: 'https://status.example.com/' }

test('a payload has the type, the time of the event, and the record under its kind', () => {
  const update = { id: 7, message: 'We see slow answers.' }
  const items = [{ id: 3, name: 'Search' }]
  const record = { id: 12, title: 'Search is slow' }
  expect(payloadOf(event({ data: { update_id: 7 } }), content({ record, update, items }))).toEqual({
    type: 'incident.updated',
    timestamp: '2026-11-23T10:00:00.250Z',
    data: { event_id: 81, sequence: 3, page, incident: record, update, items, details: { update_id: 7 } },
  })
})

test.each(['incident', 'maintenance', 'series', 'item', 'beat', 'beat_group', 'subscriber'])(
  'the record of a notification about a %s is under that name',
  (subject_kind) => {
    const { data } = payloadOf(event({ subject_kind }), content({ record: { id: 9 } }))
    expect(data).toEqual({ event_id: 81, sequence: 3, page, [subject_kind]: { id: 9 } })
  },
)

test('a late notification contains the number of missed ones', () => {
  expect(payloadOf(event({ late: true, missed: 2 }), content()).data).toMatchObject({ late: true, missed: 2 })
})

type Cut = { incident: { updates: { id: number }[] }; truncated: boolean; update: object }

const updates = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => ({ id: count - index, message: 'é'.repeat(length) }))

test('a long timeline keeps its newest updates', () => {
  const record = { id: 12, title: 'Search is slow', updates: updates(50, 500) }
  const payload = payloadOf(event(), content({ record, update: record.updates[0]! }))
  const { incident, truncated, update } = payload.data as unknown as Cut
  expect(bytesOf(payload)).toBeLessThan(20_000)
  expect(truncated).toBe(true)
  expect(update).toEqual(record.updates[0])
  const kept = incident.updates.map(({ id }) => id)
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, index) => 50 - index))
  expect(kept.length).toBeGreaterThan(12)
})

test('an order of updates from the oldest to the newest is kept', () => {
  const record = { id: 12, updates: updates(50, 500).reverse() }
  const { incident } = payloadOf(event(), content({ record })).data as unknown as Cut
  expect(incident.updates.at(-1)?.id).toBe(50)
})

const hostile = '"\u0007\u{1f600}'
const long = 'x'.repeat(100_000)
const manyItems = Array.from({ length: 500 }, (_, id) => ({ id, name: `Item ${id}`, parents: [1, 2, 3] }))

test.each<[string, Parameters<typeof content>[0]]>([
  ['a title of 100 KB', { record: { id: 12, title: long, updates: updates(3, 100) } }],
  ['a title of 100 KB of characters that are escaped', { record: { id: 12, title: hostile.repeat(25_000) } }],
  ['one update of 100 KB', { record: { id: 12, title: 'Short', updates: updates(1, 50_000) } }],
  ['500 items', { items: manyItems, record: { id: 12, affected_items: manyItems } }],
  ['a page with a long name', { page: { ...page, name: hostile.repeat(25_000) } }],
  ['a page with a long address', { page: { ...page, url: `https://status.example.com/${long}` } }],
  [
    'names of fields without end',
    { record: { id: 12, ...Object.fromEntries(manyItems.slice(0, 20).map((_, n) => [`${n}${long}`, 1])) } },
  ],
  ['deep lists', { record: { id: 12, a: manyItems.map(() => Array(50).fill(hostile.repeat(20))) } }],
])('%s is cut, and the payload has less than 20 kB', (_what, fields) => {
  const payload = payloadOf(event(), content(fields))
  expect(bytesOf(payload)).toBeLessThan(20_000)
  expect(payload.data).toMatchObject({ event_id: 81, sequence: 3, incident: { id: 12 }, truncated: true })
  expect(JSON.stringify(payload).isWellFormed()).toBe(true)
  expect(JSON.stringify(payload)).not.toMatch(/\\ud[89ab]/)
})

test('an address is kept whole while texts are cut', () => {
  const url = `https://status.example.com/${'a'.repeat(500)}`
  const { data } = payloadOf(event(), content({ record: { id: 12, url, title: long, texts: Array(50).fill(long) } }))
  expect(data.incident).toMatchObject({ url })
})

test('a payload of 19,999 bytes is whole', () => {
  const empty = bytesOf(payloadOf(event(), content({ record: { id: 12, title: '' } })))
  const titled = (length: number) => payloadOf(event(), content({ record: { id: 12, title: 'x'.repeat(length) } }))
  expect(bytesOf(titled(19_999 - empty))).toBe(19_999)
  expect(titled(19_999 - empty).data.truncated).toBeUndefined()
  expect(titled(20_000 - empty).data.truncated).toBe(true)
})
