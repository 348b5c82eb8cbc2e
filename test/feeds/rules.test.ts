import { describe, expect, test } from '@jest/globals'
import { type EntryKind, entriesOf } from '../../src/domain/feeds/entry-rules.ts'
import { permanentId } from '../../src/domain/feeds/permanent-id-rules.ts'
import { withoutForbidden } from '../../src/feeds/xml-rules.ts'

const page = { id: 1, created_at: '2026-03-02T10:00:00.000Z' }

describe('the id of an entry', () => {
  // Programs that read a feed know these ids, so another version of the service has the same.
  test.each([
    [page, 'incident', 17, 'urn:uuid:930a4c9e-70f8-87f4-b37c-809768ebfcef'],
    [page, 'incident_update', 17, 'urn:uuid:81322384-1fa8-8515-972f-0a5653303971'],
  ])('%j %s %i is %s', (of, kind, id, expected) => expect(permanentId(of, kind, id)).toBe(expected))

  test('differs for another page, another time, another kind and another record', () => {
    const ids = [
      permanentId(page, 'incident', 17),
      permanentId({ ...page, id: 2 }, 'incident', 17),
      permanentId({ ...page, created_at: '2026-03-02T10:00:00.001Z' }, 'incident', 17),
      permanentId(page, 'maintenance', 17),
      permanentId(page, 'incident', 1),
      permanentId({ ...page, id: 11 }, 'incident', 7),
    ]
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids)
      expect(id).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})

describe('the entries of records', () => {
  const at = (minute: number) => `2026-03-02T10:${String(minute).padStart(2, '0')}:00.000Z`
  const update = (id: number, previous_status: string, status: string, edited = id) => {
    return { id, status, previous_status, created_at: at(id), updated_at: at(edited) }
  }
  const incident = {
    id: 7,
    status: 'resolved',
    lifecycle_stage: { name: 'Resolved' },
    created_at: at(1),
    updated_at: at(50),
    updates: [update(3, 'degraded', 'resolved'), update(2, 'major_outage', 'degraded', 30)],
  }
  const records = { incident: [incident], maintenance: [] as (typeof incident)[] }
  const listed = (kind: EntryKind, id: number) => ({ kind, id, record_id: 7 })
  const shown = (list: ReturnType<typeof listed>[], perUpdate: boolean) =>
    entriesOf(list, records, { perUpdate }).map(({ id, published, updated, status, record }) => [
      ...[id, published, updated, status],
      record.updates.map((one) => one.id),
    ])

  test.each([
    ['an update', [listed('incident_update', 3)], true, [[3, at(3), at(3), 'resolved', [3]]]],
    ['an edited update', [listed('incident_update', 2)], true, [[2, at(2), at(30), 'degraded', [2]]]],
    ['a creation has the first status', [listed('incident', 7)], true, [[7, at(1), at(1), 'major_outage', []]]],
    ['a whole record', [listed('incident', 7)], false, [[7, at(1), at(30), 'resolved', [3, 2]]]],
    ['a record that readers do not see', [listed('maintenance', 7)], true, []],
    ['an update that was deleted meanwhile', [listed('incident_update', 9)], true, []],
  ] as const)('%s', (_what, list, perUpdate, expected) => {
    expect(shown([...list], perUpdate)).toEqual(expected)
  })

  test('keep the order of the list', () => {
    const list = [listed('incident_update', 3), listed('incident_update', 2), listed('incident', 7)]
    expect(shown(list, true).map(([id]) => id)).toEqual([3, 2, 7])
  })

  test('a whole record shows its newest twenty updates', () => {
    const updates = Array.from({ length: 30 }, (_, index) => update(59 - index, 'degraded', 'degraded'))
    const [entry] = entriesOf(
      [listed('incident', 7)],
      { ...records, incident: [{ ...incident, updates }] },
      { perUpdate: false },
    )
    expect(entry!.record.updates.map(({ id }) => id)).toEqual(updates.slice(0, 20).map(({ id }) => id))
    expect(entry!.updated).toBe(at(59))
  })
})

test.each([
  ['plain', 'plain'],
  ['a\u0000b\u0008c\u000bd\u001fe', 'abcde'],
  ['tab\tline\nreturn\r', 'tab\tline\nreturn\r'],
  ['\ufffe\uffff\ufffd', '\ufffd'],
  ['\ud800 half \udc00', ' half '],
  ['\u{1f4a5}\u{10ffff}', '\u{1f4a5}\u{10ffff}'],
  ['\u0085\u2028', '\u0085\u2028'],
])('%j without the characters that XML forbids is %j', (text, expected) => {
  expect(withoutForbidden(text)).toBe(expected)
})
