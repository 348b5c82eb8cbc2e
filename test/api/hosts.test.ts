import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ManagedDomain } from '../../src/persistence/entities/managed-domain.ts'
import { callerOf } from '../support/caller.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { getAs } from './support/hosts.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService({ baseDomain: 'status.test' })
  const em = service.services.system.em.fork()
  const domain = { page_id: service.otherPage.id, created_at: new Date() }
  await em.insert(ManagedDomain, { ...domain, hostname: 'status.other.example', active: true })
  await em.insert(ManagedDomain, { ...domain, hostname: 'pending.other.example', active: false })
})
afterAll(() => service.close())

const nameAt = async (host: string) => (await getAs(service, host, '/api/v1/pages/public/current-host')).body.name

test.each([
  ['first.status.test', 'First'],
  ['other.status.test', 'Other'],
  ['OTHER.Status.Test', 'Other'],
  ['other.status.test:3000', 'Other'],
  ['other.status.test.', 'Other'],
  ['status.other.example', 'Other'],
  ['STATUS.other.example:8443', 'Other'],
  ['pending.other.example', 'First'],
  ['missing.status.test', 'First'],
  ['a.other.status.test', 'First'],
  ['status.test', 'First'],
  ['elsewhere.example', 'First'],
  ['127.0.0.1', 'First'],
  ['[::1]:3000', 'First'],
])('%s shows %s', async (host, name) => {
  expect(await nameAt(host)).toBe(name)
})

describe('what a token reaches', () => {
  const asOther = async () => ({ Authorization: `Bearer ${await service.token({ page: service.otherPage })}` })
  const paths = ['/api/v1/context', '/api/v1/org/pages', '/api/v1/admin/incidents', '/api/v1/admin/page']

  test.each(paths)('%s is on the token’s host, and not on another', async (path) => {
    expect((await getAs(service, 'other.status.test', path, await asOther())).status).toBe(200)
    expect((await getAs(service, 'status.other.example', path, await asOther())).status).toBe(200)
    expect((await getAs(service, 'first.status.test', path, await asOther())).status).toBe(404)
  })

  test.each(paths)('%s reaches the page of the token on a host that names no page', async (path) => {
    for (const host of ['elsewhere.example', 'status.test', 'missing.status.test']) {
      const { status, body } = await getAs(service, host, path, await asOther())
      expect([status, JSON.stringify(body).includes('"First"')]).toEqual([200, false])
    }
  })

  test('a public read on a host that names no page is of the token’s page', async () => {
    const path = '/api/v1/pages/public/current-host'
    expect((await getAs(service, 'elsewhere.example', path, await asOther())).body.name).toBe('Other')
    expect((await getAs(service, 'first.status.test', path, await asOther())).body.name).toBe('First')
  })

  test('the scoped form works on any host', async () => {
    const { organization_id, id } = service.otherPage
    const path = `/api/v1/orgs/${organization_id}/pages/${id}/admin/page`
    for (const host of ['first.status.test', 'elsewhere.example']) {
      const { status, body } = await getAs(service, host, path, await asOther())
      expect([status, body.id]).toEqual([200, id])
    }
  })

  test('an organization and a page that do not belong together are none', async () => {
    const { page, otherPage } = service
    for (const [org, id] of [
      [page.organization_id, otherPage.id],
      [otherPage.organization_id, page.id],
      [999, page.id],
      [page.organization_id, 999],
    ]) {
      const { status, body } = await service.admin.get(`/orgs/${org}/pages/${id}/admin/page`)
      expect([status, body.code]).toEqual([404, 'not_found'])
    }
  })
})

test('the context holds the page and the organization of the host, and the caller', async () => {
  const token = await service.token({ page: service.otherPage, permission: 'read', roleKey: 'page_viewer' })
  const { body } = await getAs(service, 'other.status.test', '/api/v1/context', { Authorization: `Bearer ${token}` })
  expect(body).toEqual({
    organization: { id: service.otherPage.organization_id, name: 'Other organization', slug: 'other-organization' },
    page: expect.objectContaining({ id: service.otherPage.id, public_slug: 'other' }),
    actor: {
      kind: 'token',
      id: expect.any(Number),
      name: 'read page_viewer',
      permission: 'read',
      role_key: 'page_viewer',
    },
  })
})

test('the pages of the organization are the token’s page', async () => {
  const { body } = await service.admin.get('/org/pages')
  expect([body.total, body.pages.map((page: { id: number }) => page.id)]).toEqual([1, [service.page.id]])
})

test('the summary of a page is complete', async () => {
  const common = {
    viewer_auth_mode: 'none',
    viewer_password_configured: false,
    visibility: 'public',
  }
  const first = await getAs(service, 'first.status.test', '/api/v1/pages/public/current-host')
  expect(first.body).toEqual({
    ...common,
    id: service.page.id,
    page_id: service.page.id,
    organization_id: service.page.organization_id,
    name: 'First',
    organization_slug: 'first-organization',
    page_slug: 'first',
    public_slug: 'first',
    public_domain: 'first.status.test',
    public_url: 'http://first.status.test/',
    fallback_domain: 'first.status.test',
    fallback_url: 'http://first.status.test/',
    custom_domains: [],
  })
  const other = await getAs(service, 'other.status.test', '/api/v1/pages/public/current-host')
  expect(other.body).toMatchObject({
    ...common,
    public_domain: 'status.other.example',
    public_url: 'https://status.other.example/',
    fallback_domain: 'other.status.test',
    fallback_url: 'http://other.status.test/',
    active_custom_domain: 'status.other.example',
    active_custom_url: 'https://status.other.example/',
    custom_domains: ['status.other.example'],
  })
})

test('a page is also read below its slug', async () => {
  expect((await service.as(undefined).get('//status/other')).body).toContain('Other')
  expect((await service.as(undefined).get('//status/missing')).status).toBe(404)
})

test('a page that was renamed redirects from its former host, and keeps path and query', async () => {
  const address = `/api/v1/orgs/${service.otherPage.organization_id}/pages/${service.otherPage.id}/admin/page`
  const rename = (public_slug: string) => service.otherAdmin.patch(address.replace('/api/v1', ''), { public_slug })
  await rename('renamed')
  try {
    for (const path of ['/', '/?a=b', '/api/v1/incidents?limit=2']) {
      const { status, headers } = await getAs(service, 'other.status.test', path)
      expect([path, status, headers.get('location')]).toEqual([path, 308, `http://renamed.status.test${path}`])
    }
    expect(await nameAt('renamed.status.test')).toBe('Other')
  } finally {
    await rename('other')
  }
  expect(await nameAt('other.status.test')).toBe('Other')
})

test('the slug of a page reaches its public reads on any host', async () => {
  const { body: incident } = await service.admin.post('/admin/incidents', { title: 'Only here' })
  const reads = ['settings', 'incidents', 'maintenances', 'components', 'metrics', `incidents/${incident.id}`]
  for (const read of reads) {
    for (const host of ['other.status.test', 'elsewhere.example']) {
      const { status } = await getAs(service, host, `/api/v1/pages/public/first/${read}`)
      expect([read, host, status]).toEqual([read, host, 200])
    }
  }
  const { body } = await getAs(service, 'other.status.test', '/api/v1/pages/public/first/incidents')
  expect(body.incidents.map(({ title }: { title: string }) => title)).toEqual(['Only here'])
  expect((await getAs(service, 'first.status.test', '/api/v1/pages/public/other/incidents')).body.total).toBe(0)
})

test('an old client without a host is shown the default page', async () => {
  // Node's server refuses HTTP/1.1 without a Host; an empty one gets as far as the service.
  expect([200, 400]).toContain((await getAs(service, '', '/api/v1/pages/public/current-host')).status)
  expect((await callerOf(service.url, undefined).get('/pages/public/current-host')).body.name).toBe('First')
})
