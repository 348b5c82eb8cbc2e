import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Caller } from '../support/caller.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let other: Caller
beforeAll(async () => {
  service = await openTestService()
  const prefix = `/orgs/${service.otherPage.organization_id}/pages/${service.otherPage.id}/admin`
  const { get, patch } = service.otherAdmin
  other = {
    ...service.otherAdmin,
    get: (path) => get(prefix + path),
    patch: (path, body) => patch(prefix + path, body),
  }
})
afterAll(() => service.close())

const path = '/admin/settings'

test('of many first writes at once none is lost', async () => {
  const writes = [
    { require_resolution_reason: true },
    { document_locale: 'de' },
    { reliability_policy_label: 'Gold' },
    { multilingual_enabled: true },
  ]
  const answers = await Promise.all(writes.map((body) => service.admin.patch(path, body)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await service.admin.get(path)).body).toMatchObject({ ...Object.assign({}, ...writes), version: 5 })
})

test('the settings of one page are not those of another', async () => {
  expect((await other.get('/settings')).body).toMatchObject({ document_locale: 'en', version: 1, updated_at: null })
  expect((await other.patch('/settings', { document_locale: 'fr' })).body.version).toBe(2)
  expect((await other.patch('/settings', { multilingual_enabled: true })).body).toMatchObject({
    document_locale: 'fr',
    multilingual_enabled: true,
    version: 3,
  })
  expect((await service.admin.get(path)).body.document_locale).toBe('de')
})

test('a stale version is refused, with the current one', async () => {
  const { version } = (await service.admin.get(path)).body
  const body = { require_incident_ack_before_updates: true, version }
  const answers = await Promise.all([service.admin.patch(path, body), service.admin.patch(path, body)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'version_conflict',
    current_version: version + 1,
  })
})

test.each([
  ['read', 'page_viewer', 200, 403],
  ['write', 'page_manager', 200, 403],
  ['admin', 'page_manager', 200, 403],
  ['admin', 'page_admin', 200, 200],
] as const)('%s as %s reads with %i and writes with %i', async (permission, roleKey, reads, writes) => {
  const caller = service.as(await service.token({ permission, roleKey }))
  for (const address of [path, '/admin/chat/settings']) {
    expect((await caller.get(address)).status).toBe(reads)
    expect((await caller.patch(address)).status).toBe(writes)
  }
})

test('the audit holds the previous and the new settings', async () => {
  await service.admin.patch(path, { document_locale: null })
  const { version } = (await service.admin.patch(path, { document_locale: 'it', multilingual_enabled: true })).body
  const [event] = (await service.admin.get('/admin/audit-events?limit=1')).body.audit_events
  expect(event).toMatchObject({
    operation: 'settings.update',
    subject: { kind: 'settings', id: service.page.id },
    before: { document_locale: 'en', version: version - 1 },
    after: { document_locale: 'it', version },
  })
  expect(Object.keys(event.after).sort()).toEqual(['document_locale', 'version'])
})

test('the public read of a private page needs a token of the page', async () => {
  await service.admin.patch('/admin/page', { visibility: 'private' })
  expect((await service.as(undefined).get('/settings')).status).toBe(404)
  expect((await service.admin.get('/settings')).status).toBe(200)
  await service.admin.patch('/admin/page', { visibility: 'public' })
})
