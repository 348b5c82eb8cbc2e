import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'
import { makersOf } from './support/full-records.ts'

/** What a record has is not refused because it is offered no more. */

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2026-11-21T17:00:00Z') })
  await service.admin.patch('/admin/settings', { document_locale: 'en', supported_locales: ['en', 'de'] })
})
afterAll(() => service.close())

const { externalId, incident, maintenance, series, beat, beatGroup } = makersOf(() => service)

test.each([incident, maintenance, series])('a language', async (make) => {
  const path = await make()
  const before = (await service.admin.get(path)).body
  await service.admin.patch('/admin/settings', { supported_locales: ['en'] })
  expect((await service.admin.patch(path, before)).body).toMatchObject({ version: before.version })
  const said = [{ locale: 'de', values: { title: 'Anders' } }]
  const refused = await service.admin.patch(path, { title: 'T', translations: said })
  expect([refused.status, refused.body.errors?.[0].path]).toEqual([400, 'translations.0.locale'])
  await service.admin.patch('/admin/settings', { supported_locales: ['en', 'de'] })
})

test.each([incident, maintenance, series])('an item', async (make) => {
  const path = await make()
  const before = (await service.admin.get(path)).body
  await service.admin.del(`/admin/hierarchy/items/${before.affected_items[0].id}?archive=true`)
  const { status, body } = await service.admin.patch(path, before)
  expect([status, body.version]).toEqual([200, before.version])
})

test.each([
  ['incident', incident],
  ['maintenance', maintenance],
  ['maintenance', series],
])('a stage of an %s', async (kind, make) => {
  const list = `/admin/lifecycle-stages/${kind}`
  const { body: made } = await service.admin.post(list, { name: `Passing ${externalId()}` })
  const path = await make({ lifecycle_stage_id: made.id })
  await service.admin.patch(`${list}/${made.id}`, { archived: true })
  const before = (await service.admin.get(path)).body
  expect(before.lifecycle_stage_id).toBe(made.id)
  expect((await service.admin.patch(path, before)).body.version).toBe(before.version)
  const named = { title: 'U', lifecycle_stage_name: made.name }
  expect((await service.admin.patch(path, named)).status).toBe(200)
  const other = await make()
  expect((await service.admin.patch(other, named)).body.errors?.[0].path).toBe('lifecycle_stage_name')
})

test('an incident keeps a status that can no longer be chosen', async () => {
  const path = await incident()
  const types = (await service.admin.get('/admin/status-types')).body.status_types
  const { id } = types.find((type: { key: string }) => type.key === 'major_outage')
  await service.admin.patch(`/admin/status-types/${id}`, { archived: true })
  const same = await service.admin.patch(path, { title: 'x', status: 'major_outage' })
  expect([same.status, same.body.title]).toEqual([200, 'x'])
  const [entry] = same.body.updates
  expect((await service.admin.patch(`${path}/updates/${entry.id}`, { ...entry, message: 'N' })).status).toBe(200)
  await service.admin.patch(path, { status: 'degraded' })
  expect((await service.admin.patch(path, { status: 'major_outage' })).body.errors?.[0].path).toBe('status')
  await service.admin.patch(`/admin/status-types/${id}`, { archived: false })
})

describe.each([
  ['a beat', beat],
  ['a group of beats', beatGroup],
])('what the policies of %s name', (_what, make) => {
  const unchanged = async (path: string, forget: () => Promise<unknown>) => {
    const before = (await service.admin.get(path)).body
    await forget()
    const { status, body } = await service.admin.patch(path, before)
    expect([status, body.errors, body.version]).toEqual([200, undefined, before.version])
  }
  const pathOf = async (path: string, body: object) => `${path}/${(await service.admin.post(path, body)).body.id}`

  test('a language', async () => {
    const other = await make({ message_policy_translations: [] })
    await unchanged(await make(), () => service.admin.patch('/admin/settings', { supported_locales: ['en'] }))
    const said = { message_policy_translations: [{ locale: 'de', values: { 'warning.title': 'W' } }] }
    const refused = await service.admin.patch(other, said)
    expect([refused.status, refused.body.errors?.[0].path]).toEqual([400, 'message_policy_translations.0.locale'])
    await service.admin.patch('/admin/settings', { supported_locales: ['en', 'de'] })
  })

  test('a status and a lifecycle stage', async () => {
    const name = `Passing ${externalId()}`
    const key = externalId().replace('-', '_')
    const type = await pathOf('/admin/status-types', { key, name: key })
    const stage = await pathOf('/admin/lifecycle-stages/incident', { name })
    const action_policies = { critical: { public_post: true, incident_status: key, lifecycle_stage_name: name } }
    const path = await make({ action_policies })
    await unchanged(path, async () => {
      await service.admin.patch(type, { archived: true })
      await service.admin.patch(stage, { archived: true })
    })
    const refused = await service.admin.patch(await make(), { action_policies })
    expect(refused.body.errors?.[0].path).toBe('action_policies.critical.incident_status')
  })

  test('a preset', async () => {
    const said = { title: 'P', body: 'B', category: 'synthetic_recovery' }
    const preset = await pathOf('/admin/presets', said)
    const recovery = { preset_message_id: Number(preset.split('/').at(-1)) }
    await unchanged(await make({ message_policies: { recovery } }), () => service.admin.del(preset))
  })

  test('its items', async () => {
    const path = await make()
    const { component_ids } = (await service.admin.get(path)).body
    await unchanged(path, () => service.admin.del(`/admin/hierarchy/items/${component_ids[0]}`))
  })
})
