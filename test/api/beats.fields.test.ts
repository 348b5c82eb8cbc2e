import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { beatFields } from '../../src/domain/beats/definition/fields.ts'
import { groupFields } from '../../src/domain/beats/groups/fields.ts'
import type { Fields } from '../../src/domain/kernel/fields.ts'
import { Beat } from '../../src/persistence/entities/beat.ts'
import { BeatGroup } from '../../src/persistence/entities/beat-group.ts'
import { beatsPath, httpBeat } from '../support/beats.ts'
import { makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { sampleOf } from './support/field-samples.ts'

/** Every field of the description works from the request to the audit row, so that a new field needs no test of its own. */

let service: TestService
let item: number
let group: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2026-11-21T12:00:00.000Z') })
  item = await makeItem(service, 'Database')
  group = (await service.admin.post('/admin/beat-groups', { name: 'G' })).body.id
})
afterAll(() => service.close())

/** Values of fields of which `sampleOf` knows none. */
const samples: Record<string, () => unknown> = {
  action_policies: () => ({ warning: { admin_banner: true } }),
  message_policies: () => ({ warning: { title: 'Slow' } }),
  threshold_policies: () => ({ flapping_rule: { changes: 3, within_minutes: 5 } }),
  regions: () => ['eu', 'us'],
  muted_until: () => '2026-12-01T00:00:00.000Z',
  beat_group_id: () => group,
  public_metrics_component_id: () => item,
}

const external = { name: 'B', type: 'external_event', target: { kind: 'external_event' } }
/** Only a beat with checks has an interval. */
const beatFor = (name: string) => ({ ...(name === 'interval_seconds' ? httpBeat : external), component_ids: [item] })

const kinds: [
  string,
  { path: string; list: string; entity: unknown; fields: Fields; base: (name: string) => object },
][] = [
  ['a beat', { path: beatsPath, list: 'beats', entity: Beat, fields: beatFields, base: beatFor }],
  [
    'a group',
    {
      ...{ path: '/admin/beat-groups', list: 'beat_groups', entity: BeatGroup, fields: groupFields },
      base: () => ({ name: 'G' }),
    },
  ],
]

describe.each(kinds)('of %s', (_kind, { path, list, entity, fields, base }) => {
  const settable = Object.keys(fields).filter((name) => !fields[name]!.options.required)

  test.each(settable)('the field %s is accepted, stored, answered, audited and reset', async (name) => {
    const { schema, options } = fields[name]!
    const sample = samples[name]?.() ?? sampleOf(schema, options.default)
    const make = async (body: object) => {
      const { status, body: made } = await service.admin.post(path, { ...base(name), ...body })
      expect([status, made.errors]).toEqual([201, undefined])
      return made
    }

    const plain = await make({})
    const standard = options.default === undefined ? plain[name] : (options.default ?? undefined)
    expect([plain[name], sample]).toEqual([standard, expect.anything()])
    expect(sample).not.toEqual(standard)

    const external_id = `${list}-${name}`
    const made = await make({ external_id, [name]: sample })
    expect(made[name]).toEqual(sample)
    const row = await service.services.system.em.fork().findOneOrFail(entity as typeof Beat, { id: made.id })
    expect(JSON.parse(JSON.stringify(row))[name]).toEqual(sample)
    expect((await service.admin.post(path, { ...base(name), external_id, [name]: sample })).status).toBe(200)
    const [listed] = (await service.admin.get(`${path}?limit=1`)).body[list]
    expect(listed[name]).toEqual(options.compact ? sample : undefined)

    const changed = (await service.admin.patch(`${path}/${plain.id}`, { [name]: sample })).body
    expect([changed[name], changed.version]).toEqual([sample, plain.version + 1])
    const [audited] = (await service.admin.get('/admin/audit-events')).body.audit_events
    expect([audited.before[name], audited.after[name]]).toEqual([standard ?? null, sample])

    const nullable = options.nullClears || schema instanceof z.ZodNullable
    const emptied = await service.admin.patch(`${path}/${plain.id}`, { [name]: null })
    expect([emptied.status, emptied.body[name]]).toEqual(nullable ? [200, standard] : [400, undefined])

    const replaced = await service.admin.request('PUT', `${path}/external/${external_id}`, base(name))
    expect([replaced.status, replaced.body[name]]).toEqual([200, options.keptByPut ? sample : standard])
  })

  test('a create without defaults equals a create with all of them', async () => {
    const external_id = `${list}-defaults`
    const made = await service.admin.post(path, { ...base(''), external_id })
    const defaults = settable.map((name) => [name, made.body[name]])
    const again = await service.admin.post(path, { ...base(''), external_id, ...Object.fromEntries(defaults) })
    expect([again.status, again.body]).toEqual([200, made.body])
  })
})
