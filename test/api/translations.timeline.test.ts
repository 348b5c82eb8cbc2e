import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const path = '/admin/incidents'
const title = { locale: 'de', values: { title: 'Ausfall' } }
const report = async (more: object = {}) => (await service.admin.post(path, { title: 'Down', ...more })).body
const read = async (id: number) => (await service.admin.get(`${path}/${id}`)).body
const stored = (kind: string, id: number) =>
  service.services.system.em
    .fork()
    .execute('select locale from localized_variant where subject_kind = ? and subject_id = ?', [kind, id])

const message = { locale: 'de', values: { message: 'Wir schauen.' } }

test('an update has translations of its own', async () => {
  const { id } = await report()
  const updates = `${path}/${id}/updates`
  const made = await service.admin.post(updates, { message: 'We look.', translations: [message] })
  expect(made.status).toBe(201)
  const translations = [{ ...message, state: 'draft', version: 1 }]
  expect(made.body.translations).toEqual(translations)
  const { version: _incident, ...entry } = made.body
  expect((await service.admin.get(`${updates}/${made.body.id}`)).body).toEqual(entry)
  expect((await service.admin.get(updates)).body.updates).toEqual([entry])
  expect((await read(id)).updates).toEqual([entry])
})

test('an edit changes them, with their versions', async () => {
  const { id } = await report()
  const { body } = await service.admin.post(`${path}/${id}/updates`, { message: 'A', translations: [message] })
  const edit = (translation: object) =>
    service.admin.patch(`${path}/${id}/updates/${body.id}`, { message: 'B', translations: [translation] })
  const published = await edit({ ...message, state: 'published', version: 1 })
  expect(published.body).toMatchObject({ message: 'B', translations: [{ state: 'published', version: 2 }] })
  const stale = await edit({ ...message, version: 1 })
  expect([stale.status, stale.body.current_version]).toEqual([409, 2])
  expect((await edit({ locale: 'de', values: null })).body.translations).toEqual([])
})

test.each(['message', 'resolution_message'])('a resolution is translated by %s', async (name) => {
  const { id } = await report()
  const translations = [{ locale: 'de', values: { [name]: 'Behoben.' } }]
  const { status, body } = await service.admin.post(`${path}/${id}/resolve`, { translations })
  expect(status).toBe(200)
  expect(body.updates[0]).toMatchObject({
    is_resolution: true,
    translations: [{ locale: 'de', values: { message: 'Behoben.' }, state: 'draft', version: 1 }],
  })
})

test('what is deleted leaves nothing behind', async () => {
  const { id } = await report({ translations: [title] })
  const post = async () =>
    (await service.admin.post(`${path}/${id}/updates`, { message: 'A', translations: [message] })).body.id
  const [first, second] = [await post(), await post()]
  await service.admin.del(`${path}/${id}/updates/${first}`)
  expect(await stored('incident_update', first)).toEqual([])
  expect(await stored('incident_update', second)).toHaveLength(1)
  await service.admin.del(`${path}/${id}`)
  expect([await stored('incident_update', second), await stored('incident', id)]).toEqual([[], []])
})
