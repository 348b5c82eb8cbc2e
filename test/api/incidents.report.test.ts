import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'
import { tracesOf } from './support/traces.ts'

const start = new Date('2026-03-01T10:00:00Z')
const minutes = (count: number) => new Date(start.getTime() + count * 60_000)
const at = (count: number) => minutes(count).toISOString()

let service: TestService
let id: number
let path: string
beforeAll(async () => {
  service = await openTestService({ frozenAt: start })
})
beforeEach(async () => {
  service.now = start
  id = (await service.admin.post('/admin/incidents', { title: 'Down' })).body.id
  path = `/admin/incidents/${id}/report`
})
afterAll(() => service.close())

const words = { title: 'What happened', body: '  - a *cable*\n\n' }
const put = (body: object = words, to = path) => service.admin.request('PUT', to, body)
const resolve = () => service.admin.post(`/admin/incidents/${id}/resolve`)
const shown = async () => (await service.as(undefined).get(`/incidents/${id}`)).body
const listed = async (view: string) =>
  (await service.as(undefined).get(`/incidents?view=${view}&limit=100`)).body.incidents.find(
    (incident: { id: number }) => incident.id === id,
  )

test('it is written as a draft, also while the incident is open, and revised', async () => {
  expect((await service.admin.get(path)).status).toBe(404)
  const made = await put()
  expect([made.status, made.headers.get('location')]).toEqual([201, `/api/v1${path}`])
  expect(made.body).toMatchObject({ ...words, incident_id: id, state: 'draft', version: 1, published_at: null })
  service.now = minutes(5)
  const revised = await put({ ...words, title: 'What really happened', version: 1 })
  expect([revised.status, revised.body.version, revised.body.updated_at]).toEqual([200, 2, at(5)])
  expect((await service.admin.get(path)).body).toEqual(revised.body)
})

test('what was read before may be sent back', async () => {
  const { body } = await put()
  expect((await put(body)).status).toBe(200)
})

test('a stale version is refused, at each verb', async () => {
  expect((await put({ ...words, version: 1 })).body).toMatchObject({ code: 'version_conflict', current_version: 0 })
  expect((await service.admin.get(path)).status).toBe(404)
  await put()
  await put({ ...words, title: 'What really happened' })
  await resolve()
  const stale = [
    await put({ ...words, version: 1 }),
    await service.admin.post(`${path}/publish`, { version: 1 }),
    await service.admin.post(`${path}/unpublish`, { version: 1 }),
    await service.admin.del(`${path}?version=1`),
  ]
  for (const { status, body } of stale) expect([status, body.current_version]).toEqual([409, 2])
  expect((await service.admin.request('DELETE', path, { version: 2 })).status).toBe(200)
})

test('it is published of a resolved incident only, and shown with it', async () => {
  await put()
  expect((await service.admin.post(`${path}/publish`)).status).toBe(409)
  await resolve()
  expect(await shown()).not.toHaveProperty('report')
  service.now = minutes(10)
  const { status, body } = await service.admin.post(`${path}/publish`)
  expect([status, body.state, body.version, body.published_at]).toEqual([200, 'published', 2, at(10)])
  const report = { ...words, published_at: at(10), updated_at: at(0) }
  expect((await shown()).report).toEqual(report)
  expect((await listed('full')).report).toEqual(report)
  expect(await listed('compact')).not.toHaveProperty('report')
})

test('a published one stays published when it is revised, and readers see the new words', async () => {
  await put()
  await resolve()
  await service.admin.post(`${path}/publish`)
  const before = (await shown()).version
  service.now = minutes(20)
  expect((await put({ title: 'T', body: 'B' })).body).toMatchObject({ state: 'published', version: 3 })
  const incident = await shown()
  expect(incident.report).toEqual({ title: 'T', body: 'B', published_at: at(0), updated_at: at(20) })
  expect(incident.version).toBe(before + 1)
})

test('reopening hides it, resolving shows it again', async () => {
  await put()
  await resolve()
  await service.admin.post(`${path}/publish`)
  await service.admin.post(`/admin/incidents/${id}/reopen`)
  expect(await shown()).not.toHaveProperty('report')
  expect((await service.admin.get(path)).body.state).toBe('published')
  await resolve()
  expect((await shown()).report).toMatchObject(words)
})

test('publishing and unpublishing are done once', async () => {
  await put()
  await resolve()
  const first = await service.admin.post(`${path}/publish`)
  const left = await tracesOf(service)
  service.now = minutes(30)
  expect((await service.admin.post(`${path}/publish`)).body).toEqual(first.body)
  expect(await tracesOf(service)).toEqual(left)
  expect((await service.admin.post(`${path}/unpublish`)).body).toMatchObject({ state: 'draft', version: 3 })
  expect((await service.admin.post(`${path}/unpublish`)).body).toMatchObject({ state: 'draft', version: 3 })
  expect(await shown()).not.toHaveProperty('report')
})

test('publishing a report writes no notification', async () => {
  const { events } = await tracesOf(service)
  await put()
  await resolve()
  await service.admin.post(`${path}/publish`)
  expect((await tracesOf(service)).events).toBe(events + 1)
})

test('it is deleted by itself, and goes with its incident', async () => {
  await put()
  expect((await service.admin.del(path)).status).toBe(200)
  expect((await service.admin.get(path)).status).toBe(404)
  expect((await put()).body.version).toBe(1)
  expect((await service.admin.del(`/admin/incidents/${id}`)).status).toBe(200)
  expect((await service.admin.get(path)).status).toBe(404)
  expect((await put()).status).toBe(404)
})

test('it is reached by the external id of its incident', async () => {
  await service.admin.post('/admin/incidents', { title: 'Down', external_id: 'alert-1' })
  const external = '/admin/incidents/external/alert-1/report'
  expect((await put(words, external)).status).toBe(201)
  await service.admin.post('/admin/incidents/external/alert-1/resolve')
  expect((await service.admin.post(`${external}/publish`)).body.state).toBe('published')
  expect((await service.admin.get(external)).body.body).toBe(words.body)
})

test.each([
  ['no title', { body: 'B' }, 'title'],
  ['no body', { title: 'T' }, 'body'],
  ['a body that is too long', { title: 'T', body: 'x'.repeat(100_001) }, 'body'],
  ['another field', { ...words, summary: 'S' }, 'summary'],
])('%s is refused', async (_what, body, field) => {
  const answer = await put(body)
  expect([answer.status, answer.body.errors[0].path]).toEqual([400, field])
})

test('the audit holds each change of a report, including a revision', async () => {
  await put()
  await put({ title: 'New', body: 'B' })
  const { audit_events: events } = (await service.admin.get('/admin/audit-events?limit=1')).body
  expect(events[0]).toMatchObject({
    operation: 'incidents.report.put',
    before: { title: words.title, version: 1 },
    after: { title: 'New', version: 2 },
  })
})

test('it has translations, which are revised one by one and go with it', async () => {
  const de = { locale: 'de', values: { title: 'Was war', body: 'Ein Kabel' }, state: 'published' }
  const fr = { locale: 'fr', values: { title: 'Ce que' } }
  const made = await put({ ...words, translations: [de, fr] })
  const translations = [
    { ...de, version: 1 },
    { ...fr, state: 'draft', version: 1 },
  ]
  expect([made.status, made.body.translations]).toEqual([201, translations])
  expect((await service.admin.get(path)).body).toEqual(made.body)
  expect((await put(made.body)).body.translations).toEqual(translations)
  const stale = await put({ ...words, translations: [{ ...de, version: 7 }] })
  expect([stale.status, stale.body.current_version]).toEqual([409, 1])
  const revised = await put({ ...words, translations: [{ locale: 'fr', values: null }] })
  expect(revised.body.translations).toEqual([{ ...de, version: 1 }])
  await resolve()
  expect((await service.admin.post(`${path}/publish`)).body.translations).toEqual(revised.body.translations)
  const left = () =>
    service.services.system.em
      .fork()
      .execute(`select locale from localized_variant where subject_kind = 'incident_report'`)
  await service.admin.del(path)
  expect(await left()).toEqual([])
  await put({ ...words, translations: [de] })
  await service.admin.del(`/admin/incidents/${id}`)
  expect(await left()).toEqual([])
})
