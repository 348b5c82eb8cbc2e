import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const list = async (query = '') => (await service.admin.get(`/admin/audit-events?limit=100${query}`)).body
const last = async () => (await list()).audit_events[0]
const count = async () => (await list()).total

test('a change leaves one row: who, by which token, what, and the request', async () => {
  const before = await count()
  const { body: actor } = await service.admin.get('/context')
  const sent = { 'X-Request-Id': 'the-one' }
  const { body } = await service.admin.post('/admin/incidents', { title: 'Down' }, sent)
  expect(await count()).toBe(before + 1)
  expect(await last()).toMatchObject({
    operation: 'incidents.create',
    actor: { kind: 'token', id: actor.actor.id, name: actor.actor.name },
    subject: { id: body.id },
    request_id: 'the-one',
    after: { id: body.id, title: 'Down' },
  })
})

test('the audit of a change holds the previous and the new values of the changed fields', async () => {
  const { body } = await service.admin.post('/admin/incidents', { title: 'Down' })
  await service.admin.post(`/admin/incidents/${body.id}/updates`, { message: 'worse', status: 'major_outage' })
  const { before, after, subject, operation } = await last()
  expect([operation, subject]).toEqual(['incidents.updates.create', { kind: 'incident', id: body.id }])
  expect(before).toMatchObject({ status: 'degraded', version: 1 })
  expect(after).toMatchObject({ status: 'major_outage', version: 2 })
  expect(before).not.toHaveProperty('title')
})

test('the audit holds the records that a PUT replaces', async () => {
  const put = (title: string) => service.admin.request('PUT', '/admin/incidents/external/put', { title })
  expect((await put('First')).status).toBe(201)
  const { status, body } = await put('Second')
  expect(status).toBe(200)
  expect(await last()).toMatchObject({
    operation: 'incidents.put',
    subject: { id: body.id },
    after: { title: 'Second' },
  })
})

describe('the audit of changed translations', () => {
  const de = (title: string, state = 'draft') => ({ locale: 'de', values: { title }, state })
  const fr = { locale: 'fr', values: { title: 'Panne' } }

  test('the audit holds the previous and the new translations that a request changes', async () => {
    const { id } = (await service.admin.post('/admin/incidents', { title: 'Down', translations: [de('Aus'), fr] })).body
    const change = (...translations: object[]) => service.admin.patch(`/admin/incidents/${id}`, { translations })
    await change(de('Ausfall', 'published'), fr, { locale: 'es', values: { title: 'Caída' } })
    const [was, is] = [
      { values: { title: 'Aus' }, state: 'draft' },
      { values: { title: 'Ausfall' }, state: 'published' },
    ]
    expect(await last()).toMatchObject({ before: { version: 1 }, after: { version: 2 } })
    expect((await last()).before.translations).toEqual({ de: was, es: null })
    expect((await last()).after.translations).toEqual({ de: is, es: { values: { title: 'Caída' }, state: 'draft' } })
    await change({ locale: 'de', values: null })
    expect((await last()).before.translations).toEqual({ de: is })
    expect((await last()).after.translations).toEqual({ de: null })
    const deleted = await last()
    await change(fr)
    expect(await last()).toEqual(deleted)
    await service.admin.patch(`/admin/incidents/${id}`, { title: 'Up', translations: [fr] })
    expect((await last()).after).not.toHaveProperty('translations')
  })

  test('also below the record that the operation is about', async () => {
    const { id } = (await service.admin.post('/admin/incidents', { title: 'Down' })).body
    const updates = `/admin/incidents/${id}/updates`
    const entry = (await service.admin.post(updates, { message: 'M' })).body.id
    const translations = [{ locale: 'de', values: { message: 'N' } }]
    await service.admin.patch(`${updates}/${entry}`, { message: 'M', translations })
    expect((await last()).before.translations).toEqual({ de: null })
    expect((await last()).after.translations).toEqual({ de: { values: { message: 'N' }, state: 'draft' } })
  })
})

test('a change of the page as well', async () => {
  await service.admin.patch('/admin/page', { name: 'Renamed' })
  expect(await last()).toMatchObject({
    operation: 'page.update',
    subject: { kind: 'page', id: service.page.id },
    before: { name: 'First' },
    after: { name: 'Renamed' },
  })
})

describe('tokens', () => {
  test('are in it without their secrets', async () => {
    const { body } = await service.admin.post('/admin/api-tokens', { name: 'ci', permission: 'read' })
    expect(await last()).toMatchObject({ operation: 'tokens.create', after: { id: body.id, prefix: body.prefix } })
    await service.admin.patch(`/admin/api-tokens/${body.id}`, { name: 'deploy' })
    expect(await last()).toMatchObject({ before: { name: 'ci' }, after: { name: 'deploy' } })
    await service.admin.post(`/admin/api-tokens/${body.id}/revoke`, { reason: 'leaked' })
    expect(await last()).toMatchObject({ operation: 'tokens.revoke', after: { revoke_reason: 'leaked' } })
    await service.admin.del(`/admin/api-tokens/${body.id}`)
    const text = JSON.stringify(await list())
    expect(text).not.toContain(body.token)
    expect(text).not.toMatch(/hash/)
  })

  test('the audit holds deleted records with their previous values', async () => {
    const { body } = await service.admin.post('/admin/api-tokens', { name: 'short-lived', permission: 'read' })
    await service.admin.del(`/admin/api-tokens/${body.id}`)
    const event = await last()
    expect(event).toMatchObject({
      operation: 'tokens.delete',
      subject: { id: body.id },
      before: { name: 'short-lived' },
    })
    expect(event).not.toHaveProperty('after')
  })
})

test('reads leave nothing', async () => {
  const before = await count()
  const paths = [
    '/context',
    '/org/pages',
    '/admin/page',
    '/admin/incidents',
    '/admin/api-tokens',
    '/admin/audit-events',
  ]
  for (const path of [...paths, '/admin/api-tokens/stats', '/incidents', '/admin/workflows', '/admin/notifications']) {
    expect((await service.admin.get(path)).status).toBe(200)
  }
  await service.admin.post('/admin/api-tokens/validate', { token: 'x' })
  expect(await count()).toBe(before)
})

test('what was refused leaves nothing', async () => {
  const { body } = await service.admin.post('/admin/incidents', { title: 'Down' })
  const reader = service.as(await service.token({ permission: 'read' }))
  const before = await count()
  const refused = [
    await service.as(undefined).post('/admin/incidents', { title: 'x' }),
    await reader.post('/admin/incidents', { title: 'x' }),
    await service.admin.post('/admin/incidents', {}),
    await service.admin.post('/admin/incidents/999999/resolve'),
    await service.admin.post(`/admin/incidents/${body.id}/resolve`, { version: 99 }),
    await service.admin.post(`/admin/incidents/${body.id}/resolve`, { resolved_at: '1999-01-01T00:00:00Z' }),
    await service.admin.patch('/admin/page', { public_slug: 'other' }),
  ]
  expect(refused.map(({ status }) => status)).toEqual([401, 403, 400, 404, 409, 400, 409])
  expect(await count()).toBe(before)
})

test('an operation can be looked for, and the list is paged', async () => {
  for (const title of ['1', '2', '3']) await service.admin.post('/admin/incidents', { title })
  const { audit_events, total } = await list('&operation=incidents.create')
  expect(new Set(audit_events.map((event: { operation: string }) => event.operation))).toEqual(
    new Set(['incidents.create']),
  )
  expect(audit_events).toHaveLength(total)
  const { body: first } = await service.admin.get('/admin/audit-events?operation=incidents.create&limit=2')
  const { body: second } = await service.admin.get(
    `/admin/audit-events?operation=incidents.create&limit=1&cursor=${first.next_cursor}`,
  )
  expect([...first.audit_events, ...second.audit_events].map(({ after }) => after.title)).toEqual(['3', '2', '1'])
})

test('another page’s is not in it', async () => {
  const prefix = `/orgs/${service.otherPage.organization_id}/pages/${service.otherPage.id}/admin`
  await service.otherAdmin.post(`${prefix}/incidents`, { title: 'Theirs' })
  expect(JSON.stringify(await list())).not.toContain('Theirs')
  expect((await service.otherAdmin.get(`${prefix}/audit-events?operation=incidents.create`)).body.total).toBe(1)
})

test('a creation and a change of a record are found under the same word', async () => {
  const { body } = await service.admin.post('/admin/incidents', { title: 'Same word' })
  await service.admin.patch(`/admin/incidents/${body.id}`, { title: 'Another title' })
  const { audit_events } = (await service.admin.get('/admin/audit-events?limit=2')).body
  const subjects = audit_events.map((event: { subject: unknown }) => event.subject)
  expect(subjects).toEqual([
    { kind: 'incident', id: body.id },
    { kind: 'incident', id: body.id },
  ])
})

test('a token from the command line leaves a row too', async () => {
  await service.token({ permission: 'read' })
  expect(await last()).toMatchObject({
    operation: 'tokens.create',
    actor: { kind: 'system', name: 'command line' },
    subject: { kind: 'API token' },
    after: { permission: 'read' },
  })
})
