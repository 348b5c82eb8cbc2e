import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'
import { makersOf, translations } from './support/full-records.ts'
import { tracesOf } from './support/traces.ts'

/** A client may send back the values that it read: the version stays, and no notification and no audit row is written. */

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2026-11-21T17:00:00Z') })
  await service.admin.patch('/admin/settings', { document_locale: 'en', supported_locales: ['en', 'de'] })
})
afterAll(() => service.close())

const { incident, maintenance, series, beat, beatGroup, item, preset, feed } = makersOf(() => service)

const records: [string, () => Promise<string>][] = [
  ['an incident', () => incident()],
  [
    'a resolved incident',
    async () => {
      const path = await incident()
      await service.admin.post(`${path}/resolve`)
      return path
    },
  ],
  ['a maintenance', () => maintenance()],
  [
    'a completed maintenance',
    async () => {
      const path = await maintenance()
      await service.admin.post(`${path}/complete`)
      return path
    },
  ],
  ['the first of a rule', () => maintenance({ recurrence_rule: 'FREQ=WEEKLY', recurrence_timezone: 'Europe/Berlin' })],
  ['a series', () => series()],
  ['a beat', () => beat()],
  [
    'a heartbeat',
    () => beat({ type: 'heartbeat', interval_seconds: 60, target: { cron: '*/5 * * * *' }, threshold_policies: {} }),
  ],
  ['a group of beats', () => beatGroup()],
  [
    'a series that has ended',
    async () => {
      const path = await series()
      await service.admin.post(`${path}/end`)
      return path
    },
  ],
]

const others: [string, () => Promise<string>][] = [
  ['an item', item],
  ['a preset', preset],
  ['a feed', feed],
]

describe.each([...records, ...others])('%s', (_what, make) => {
  test('as it was read, in a PATCH', async () => {
    const path = await make()
    const before = (await service.admin.get(path)).body
    const traces = await tracesOf(service)
    expect(before.translations ?? before.message_policy_translations ?? translations).toHaveLength(1)
    service.now = new Date(service.now.getTime() + 1000)
    const { status, body } = await service.admin.patch(path, before)
    expect([status, body.errors, body.version]).toEqual([200, undefined, before.version])
    expect((await service.admin.get(path)).body).toEqual(before)
    expect(await tracesOf(service)).toEqual(traces)
  })

  test('with a field that is another, it is changed', async () => {
    const path = await make()
    const before = (await service.admin.get(path)).body
    const words = before.name ? { name: 'Other' } : { title: 'Other' }
    const { status, body } = await service.admin.patch(path, { ...before, ...words })
    const ended = before.status === 'ended'
    expect([status, body.version]).toEqual(ended ? [409, undefined] : [200, before.version + 1])
  })
})

test.each(records)('%s, as it was read, in a PUT', async (_what, make) => {
  const path = await make()
  const before = (await service.admin.get(path)).body
  const traces = await tracesOf(service)
  const { status, body } = await service.admin.request(
    'PUT',
    `${path.replace(/\d+$/, 'external/')}${before.external_id}`,
    before,
  )
  expect([status, body.errors, body.version]).toEqual([200, undefined, before.version])
  expect((await service.admin.get(path)).body).toEqual(before)
  expect(await tracesOf(service)).toEqual(traces)
})
