import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
  await service.admin.post('/admin/incidents', { title: 'Down', external_id: 'known' })
})
afterAll(() => service.close())

const ids = ['0', '-1', '2147483648', '99999999999999999999', '1e400', '1e0', '0x1', '1.0', '01', '+1', 'abc', 'null']

describe('an id that cannot be one names nothing', () => {
  test.each(ids)('%s', async (id) => {
    const paths = [
      `/admin/incidents/${id}`,
      `/admin/incidents/${id}/updates`,
      `/admin/api-tokens/${id}`,
      `/incidents/${id}`,
      `/orgs/${id}/pages/${service.page.id}/admin/incidents`,
      `/orgs/${service.page.organization_id}/pages/${id}/admin/incidents`,
    ]
    for (const path of paths) expect([path, (await service.admin.get(path)).status]).toEqual([path, 404])
    expect((await service.admin.post(`/admin/incidents/${id}/resolve`)).status).toBe(404)
  })
})

describe('a path that cannot be decoded or stored', () => {
  test.each([
    '/admin/incidents/%zz',
    '/admin/incidents/%',
    '/admin/incidents/%00',
    '/admin/incidents/%ff',
    '/admin/incidents/%ED%A0%80',
    '/admin/incidents/external/%00',
    '/admin/incidents/external/%zz',
    '/admin/incidents/external/%ff%fe',
    '/admin/incidents/external/%ED%A0%80',
    '/admin/incidents/external/%2e%2e%2f%2e%2e',
    `/admin/incidents/external/${'x'.repeat(5000)}`,
    '/admin/workflows/incident%00',
    '/admin/workflows/incident%ED%A0%80',
    '/admin/workflows/%zz/history',
    '/admin/workflows/incident:1%00/history',
    '/pages/public/%00/components',
    '/pages/public/%zz/components',
    '/orgs/%00/pages/1/admin/incidents',
    '/incidents/%00',
    '/%zz',
    '/%00',
    '//%00',
    '//status/%00',
    '//status/%zz',
    '//status/%ff',
    '////',
    '//api//v1/incidents',
  ])('%s is a client’s mistake', async (path) => {
    const { status } = await service.admin.get(path)
    expect([400, 404]).toContain(status)
  })

  test('a POST below such a path is refused as well', async () => {
    expect((await service.admin.post('/admin/workflows/a%00b/wake')).status).toBe(400)
    expect((await service.admin.post('/admin/incidents/external/a%00b/resolve')).status).toBe(400)
  })
})

test('paths are case-sensitive', async () => {
  expect((await service.admin.get('/Admin/incidents')).status).toBe(404)
  expect((await service.admin.get('/INCIDENTS')).status).toBe(404)
})

describe('external ids', () => {
  test.each([
    'a/b',
    'a?b',
    'a#b',
    'a%b',
    '%2F',
    'a+b',
    'a&b=c',
    '"',
    "'; drop table incident; --".replaceAll(' ', '_'),
  ])('%s is found again', async (external_id) => {
    const { status, body } = await service.admin.post('/admin/incidents', { title: 'Down', external_id })
    expect(status).toBe(201)
    const found = await service.admin.get(`/admin/incidents/external/${encodeURIComponent(external_id)}`)
    expect(found.body.id).toBe(body.id)
  })

  test('a name that no incident has is a 404', async () => {
    expect((await service.admin.get('/admin/incidents/external/unknown')).status).toBe(404)
    expect((await service.admin.get('/admin/incidents/external/KNOWN')).status).toBe(404)
  })
})
