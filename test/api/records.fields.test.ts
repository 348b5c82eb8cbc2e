import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { incidentFields } from '../../src/domain/incidents/fields.ts'
import type { Fields } from '../../src/domain/kernel/fields.ts'
import { maintenanceFields } from '../../src/domain/maintenances/fields.ts'
import { windowFields } from '../../src/domain/series/fields.ts'
import { Incident } from '../../src/persistence/entities/incident.ts'
import { Maintenance } from '../../src/persistence/entities/maintenance.ts'
import { MaintenanceSeries } from '../../src/persistence/entities/maintenance-series.ts'
import { makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { sampleOf } from './support/field-samples.ts'

/** Every field of a description works from the request to the audit row, so that a new field needs no test of its own. */

let service: TestService
let item: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2026-11-21T12:00:00.000Z') })
  const { patch } = service.admin
  await patch('/admin/settings', { multilingual_enabled: true, multilingual_public_ready: true })
  await patch('/admin/chat/settings', { reminder_interval_minutes: 45 })
  item = await makeItem(service, 'Database')
})
afterAll(() => service.close())

interface Kind {
  path: string
  list: string
  entity: unknown
  fields: Fields
  base: () => Record<string, unknown>
  /** What a change has in every case. */
  change: object
  /** The address for readers. */
  readers?: string
  /** Fields that a create and a PUT set, but no change. */
  fixed?: string[]
}

const window = () => ({
  ...{ title: 'M', affected_items: [{ id: item }] },
  ...{ scheduled_start_time: '2026-12-01T10:00:00.000Z', scheduled_end_time: '2026-12-01T11:00:00.000Z' },
})
const daily = () => ({
  ...{ title: 'S', affected_items: [{ id: item }], recurrence_type: 'daily', generate_months: 1 },
  ...{ start_date: '2026-12-01', start_time: '10:00', duration_minutes: 60 },
})

const kinds: [string, Kind][] = [
  [
    'an incident',
    {
      ...{ path: '/admin/incidents', list: 'incidents', entity: Incident, fields: incidentFields },
      ...{ base: () => ({ title: 'I' }), change: {}, readers: '/incidents', fixed: ['chat_channel_id'] },
    },
  ],
  [
    'a maintenance',
    {
      ...{ path: '/admin/maintenances', list: 'maintenances', entity: Maintenance, fields: maintenanceFields },
      ...{ base: window, change: { title: 'M' }, readers: '/maintenances' },
    },
  ],
  [
    'a series',
    {
      ...{ path: '/admin/maintenance-series', list: 'series', entity: MaintenanceSeries, fields: windowFields },
      ...{ base: daily, change: { title: 'S' } },
    },
  ],
]

describe.each(kinds)('of %s', (_kind, { path, list, entity, fields, base, change, readers, fixed = [] }) => {
  const make = async (body: object) => {
    const { status, body: made } = await service.admin.post(path, { ...base(), ...body })
    expect([status, made.errors]).toEqual([201, undefined])
    return made
  }

  describe.each(Object.keys(fields))('the field %s', (name) => {
    const { schema, options } = fields[name]!
    const sample = sampleOf(schema, options.default)
    const standardOf = (plain: Record<string, unknown>) =>
      options.required || options.default === undefined ? plain[name] : (options.default ?? undefined)

    test('is accepted, stored, answered and reset', async () => {
      const plain = await make({})
      const standard = standardOf(plain)
      expect([plain[name], sample]).toEqual([standard, expect.anything()])
      expect(sample).not.toEqual(standard)

      const external_id = `${list}-${name}`
      const made = await make({ external_id, [name]: sample })
      expect(made[name]).toEqual(sample)
      const row = await service.services.system.em.fork().findOneOrFail(entity as typeof Incident, { id: made.id })
      expect(JSON.parse(JSON.stringify(row))[name]).toEqual(sample)
      expect((await service.admin.post(path, { ...base(), external_id, [name]: sample })).status).toBe(200)
      const listed = (await service.admin.get(path)).body[list].find(({ id }: { id: number }) => id === made.id)
      expect(listed[name]).toEqual(options.compact ? sample : undefined)

      const replaced = await service.admin.request('PUT', `${path}/external/${external_id}`, base())
      expect([replaced.status, replaced.body[name]]).toEqual([200, options.keptByPut ? sample : standard])
    })

    test('is changed, cleared and audited', async () => {
      const plain = await make({})
      const standard = standardOf(plain)
      const patch = (value: unknown) => service.admin.patch(`${path}/${plain.id}`, { ...change, [name]: value })
      const { status, body: changed } = await patch(sample)
      if (fixed.includes(name)) return expect(status).toBe(400)
      expect([changed[name], changed.version]).toEqual([sample, plain.version + 1])
      const [audited] = (await service.admin.get('/admin/audit-events')).body.audit_events
      expect([audited.before[name], audited.after[name]]).toEqual([standard ?? null, sample])

      const nullable = options.nullClears || schema instanceof z.ZodNullable
      const cleared = await patch(null)
      expect([cleared.status, cleared.body[name]]).toEqual(
        nullable ? [200, options.default ?? undefined] : [400, undefined],
      )
    })

    test('is translated if the description says so', async () => {
      const { id } = await make({})
      const translations = [{ locale: 'de', values: { [name]: 'Ein Text' }, state: 'published' }]
      const { status, body } = await service.admin.patch(`${path}/${id}`, { ...change, translations })
      expect([status, body.translations]).toEqual(
        options.translatable ? [200, [expect.objectContaining({ values: { [name]: 'Ein Text' } })]] : [400, undefined],
      )
    })

    if (readers === undefined) return
    test.each([
      ['alone', (id: number) => `/${id}`, true],
      ['in a full list', () => '?view=full', true],
      ['in a compact list', () => '', options.compact],
    ])('is seen by readers %s if the description says so', async (_where, address, shown) => {
      const translations = options.translatable
        ? [{ locale: 'de', values: { [name]: 'Ein Text' }, state: 'published' }]
        : []
      const { id } = await make({ [name]: sample, translations })
      const read = async (locale: string) => {
        const to = new URL(`${readers}${address(id)}`, 'http://page')
        to.searchParams.set('locale', locale)
        const { status, body } = await service.as(undefined).get(`${to.pathname}${to.search}`)
        expect(status).toBe(200)
        return (body[list]?.find((one: { id: number }) => one.id === id) ?? body)[name]
      }
      const seen = options.public && shown
      expect(await read('en')).toEqual(seen ? sample : undefined)
      expect(await read('de')).toEqual(seen ? (options.translatable ? 'Ein Text' : sample) : undefined)
    })
  })

  test('a create without defaults equals a create with all of them', async () => {
    const external_id = `${list}-defaults`
    const made = await make({ external_id })
    const settable = Object.keys(fields).filter((name) => !fields[name]!.options.required)
    const defaults = settable.map((name) => [name, made[name]])
    const again = await service.admin.post(path, { ...base(), external_id, ...Object.fromEntries(defaults) })
    expect([again.status, again.body]).toEqual([200, made])
  })
})

describe('the windows of a series copy from it', () => {
  test.each(Object.entries(windowFields as Fields))('the field %s', async (name, { schema, options }) => {
    const sample = sampleOf(schema, options.default)
    const windowOf = async (id: number) =>
      (await service.admin.get(`/admin/maintenances?series_id=${id}&view=full&limit=1`)).body.maintenances[0]
    const made = await service.admin.post('/admin/maintenance-series', { ...daily(), [name]: sample })
    expect((await windowOf(made.body.id))[name]).toEqual(sample)
    const plain = await service.admin.post('/admin/maintenance-series', daily())
    await service.admin.patch(`/admin/maintenance-series/${plain.body.id}`, { title: 'S', [name]: sample })
    expect((await windowOf(plain.body.id))[name]).toEqual(sample)
  })

  test.each(Object.entries(maintenanceFields as Fields))('or the series from it: the field %s', async (name, field) => {
    const sample = sampleOf(field.schema, field.options.default)
    const first = await service.admin.post('/admin/maintenances', { ...window(), [name]: sample })
    const rule = { title: first.body.title, recurrence_rule: 'FREQ=DAILY;COUNT=2' }
    const { body } = await service.admin.patch(`/admin/maintenances/${first.body.id}`, rule)
    const series = await service.admin.get(`/admin/maintenance-series/${body.series_id}`)
    expect(series.body[name]).toEqual(sample)
  })
})
