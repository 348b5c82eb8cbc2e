import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { makersOf, translations } from './support/full-records.ts'
import { tracesOf } from './support/traces.ts'

/** Only a difference that a client can see raises the version, writes a notification and is audited. */

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2026-11-21T17:00:00Z') })
  await service.admin.patch('/admin/settings', { document_locale: 'en', supported_locales: ['en', 'de'] })
})
afterAll(() => service.close())

const { incident, maintenance, series } = makersOf(() => service)

describe('a body that equals the stored record', () => {
  test.each([incident, maintenance, series])('what has no field but what it must', async (make) => {
    const path = await make()
    const { version, title } = (await service.admin.get(path)).body
    expect((await service.admin.patch(path, { title })).body.version).toBe(version)
    expect((await service.admin.patch(path, { title, notify: false })).body.version).toBe(version)
  })

  test('a stage and a status type with their stored values stay at their version', async () => {
    for (const list of [
      '/admin/lifecycle-stages/incident',
      '/admin/lifecycle-stages/maintenance',
      '/admin/status-types',
    ]) {
      const { lifecycle_stages, status_types } = (await service.admin.get(list)).body
      const traces = await tracesOf(service)
      for (const record of lifecycle_stages ?? status_types) {
        const { status, body } = await service.admin.patch(`${list}/${record.id}`, record)
        expect([status, body]).toEqual([200, record])
      }
      expect(await tracesOf(service)).toEqual(traces)
    }
  })

  test('an entry of a timeline and a report as they are', async () => {
    const path = await incident()
    const planned = await maintenance()
    await service.admin.post(`${planned}/updates`, { message: 'M' })
    await service.admin.request('PUT', `${path}/report`, { title: 'R', body: 'B', translations })
    for (const record of [path, planned]) {
      const { version, updates } = (await service.admin.get(record)).body
      const traces = await tracesOf(service)
      const { status, body } = await service.admin.patch(`${record}/updates/${updates[0].id}`, {
        ...updates[0],
        version,
      })
      expect([status, body]).toEqual([200, { ...updates[0], version }])
      expect((await service.admin.get(record)).body.version).toBe(version)
      expect(await tracesOf(service)).toEqual(traces)
    }
    const report = (await service.admin.get(`${path}/report`)).body
    const traces = await tracesOf(service)
    expect((await service.admin.request('PUT', `${path}/report`, report)).body).toEqual(report)
    expect(await tracesOf(service)).toEqual(traces)
  })

  test('an impact with its stored values stays at its version', async () => {
    const path = await incident()
    const { affected_items, version } = (await service.admin.get(path)).body
    const impact = `${path}/impacts/${affected_items[0].id}`
    expect((await service.admin.patch(impact, { status: 'degraded' })).status).toBe(200)
    const traces = await tracesOf(service)
    expect((await service.admin.patch(impact, { status: 'degraded', end_time: null })).status).toBe(200)
    expect((await service.admin.get(path)).body.version).toBe(version + 1)
    expect(await tracesOf(service)).toEqual(traces)
  })

  test('a window of a series still follows it', async () => {
    const path = await series()
    const read = async () => (await service.admin.get(`${path}/occurrences`)).body.occurrences[0]
    const first = `/admin/maintenances/${(await read()).maintenance_id}`
    await service.admin.patch(first, (await service.admin.get(first)).body)
    expect((await read()).edited).toBe(false)
    await service.admin.patch(first, { title: 'Its own' })
    expect((await read()).edited).toBe(true)
  })
})

describe('a body with a difference', () => {
  test.each([incident, maintenance, series])('a change of only the items is in the audit', async (make) => {
    const path = await make()
    const before = (await service.admin.get(path)).body
    const other = await makeItem(service, 'Other')
    const items = [...before.affected_items, { id: other }]
    const { body } = await service.admin.patch(path, { title: before.title, affected_items: items })
    expect([body.version, body.affected_items.length]).toEqual([before.version + 1, 2])
    const [audited] = (await service.admin.get('/admin/audit-events')).body.audit_events
    const ids = before.affected_items.map(({ id }: { id: number }) => id)
    expect([audited.before.affected_items, audited.after.affected_items]).toEqual([ids, [...ids, other]])
  })

  test.each([incident, maintenance, series])('another word in another language alone', async (make) => {
    const path = await make()
    const { title, version } = (await service.admin.get(path)).body
    const said = [{ locale: 'de', values: { title: 'Anders' } }]
    expect((await service.admin.patch(path, { title, translations: said })).body.version).toBe(version + 1)
    expect((await service.admin.patch(path, { title, translations: said })).body.version).toBe(version + 1)
  })
})

test.each([
  ['maintenance', maintenance, 'completed'],
  ['series', series, 'ended'],
])('what is over may be PUT as it is, but no new %s is over', async (_what, make, over) => {
  const path = await make()
  const { id: _id, external_id: _external, updates: _updates, version, ...body } = (await service.admin.get(path)).body
  const at = `${path.replace(/\d+$/, 'external/')}none`
  const refused = await service.admin.request('PUT', at, { ...body, status: over })
  expect([refused.status, refused.body.errors?.[0].path]).toEqual([400, 'status'])
  // A change with a version of a missing record is the change of a record that was deleted.
  const gone = await service.admin.request('PUT', at, { ...body, version })
  expect([gone.status, gone.body.current_version]).toEqual([409, undefined])
  expect((await service.admin.request('PUT', at, body)).status).toBe(201)
})
