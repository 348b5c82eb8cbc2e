import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { routes } from '../../src/api/routes/index.ts'
import { createMetrics } from '../../src/runtime/metrics.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const metrics = createMetrics()
let service: TestService
let incident: number
beforeAll(async () => {
  // Two reads of the uptime at different moments would differ.
  service = await openTestService({ deps: { metrics }, frozenAt: new Date() })
  await service.admin.post('/admin/incidents', { title: 'Of the first page' })
  const item = (await service.otherAdmin.post('/admin/hierarchy/items', { name: 'Mail' })).body.id
  await service.otherAdmin.post('/admin/views', { name: 'Mail', alias: 'mail', items: [{ id: item }] })
  for (const title of ['Mail is late', 'Sign-in is slow']) {
    incident = (await service.otherAdmin.post('/admin/incidents', { title })).body.id
  }
})
afterAll(() => service.close())

const get = (path: string, headers?: Record<string, string>) => service.as(undefined).get(`/${path}`, headers)

describe('below the slug of a page', () => {
  const reads = routes.filter(
    ({ door, method, path }) => door === 'public' && method === 'GET' && !path.includes('{id}'),
  )

  test.each(reads.map(({ path }) => path.replace('{page_slug}', 'other').replace('{view_code}', 'mail')))(
    '%s is a read of this page',
    async (path) => {
      const below = await get(`/status/other/api/v1${path}`)
      const here = await service.otherAdmin.get(path)
      const without = (body: object) => ({ ...body, generated_at: undefined, end_time: undefined })
      expect([below.status, without(below.body)]).toEqual([200, without(here.body)])
      expect(below.headers.get('access-control-allow-origin')).toBe('*')
    },
  )

  test('a record of another page is none', async () => {
    expect((await get(`/status/other/api/v1/incidents/${incident}`)).body.title).toBe('Sign-in is slow')
    expect((await get(`/status/first/api/v1/incidents/${incident}`)).status).toBe(404)
    expect((await get(`/api/v1/incidents/${incident}`)).status).toBe(404)
  })

  test.each(['/status/other', '/status/other/'])('%s is the page', async (path) => {
    const { status, body, headers } = await get(path)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(body).toContain('<bdi>Other</bdi>')
  })

  test('the form to subscribe is there', async () => {
    expect((await get('/status/other/subscribe')).status).toBe(200)
    const { status } = await service.as(undefined).post('//status/other/api/v1/subscriptions', { email: 'a@b.example' })
    expect(status).toBe(202)
  })

  test.each([
    ...['/api/v1/admin/incidents', '/api/v1/context', '/api/v1/org/pages', '/mcp', '/healthz', '/readyz'],
    ...['/api/docs', '/api/v1/openapi.json', '/api/v1', '/api/v1/heartbeats/a', '/status/other', '/nowhere', '//'],
  ])('%s is not there', async (path) => {
    const { status, body } = await service.otherAdmin.get(`//status/other${path}`, { Accept: 'application/json' })
    expect([status, body.code]).toEqual([404, 'not_found'])
  })

  test('a method without a route names the methods that have one', async () => {
    const { status, headers } = await service.as(undefined).post('//status/other/api/v1/incidents')
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await service.otherAdmin.post('//status/other/api/v1/admin/incidents')).status).toBe(404)
  })
})

test('a slug that no page has is not found', async () => {
  for (const path of ['', '/', '/subscribe', '/api/v1/incidents', '/api/v1/pages/public/missing/summary']) {
    expect([path, (await get(`/status/missing${path}`)).status]).toEqual([path, 404])
  }
})

test('links of a list stay below the slug, and each form of an address has its own answer', async () => {
  const paths = ['/status/other/api/v1/incidents', '/status/other/api/v1/pages/public/other/incidents']
  for (const path of [...paths, '/api/v1/pages/public/other/incidents', ...paths]) {
    const link = (await get(`${path}?limit=1`)).headers.get('link')!
    const [, next] = /^<(.*)>; rel="next"$/.exec(link)!
    expect(next).toMatch(`${path}?limit=1&`)
    expect((await get(next!)).body.incidents.map(({ title }: { title: string }) => title)).toEqual(['Mail is late'])
  }
})

test('the metrics name the routes, and not the slugs', async () => {
  for (const path of ['/status/other', '/status/first', '/status/other/api/v1/incidents', '/status/other/nowhere']) {
    await get(path)
  }
  const names = new Set((await metrics.requests.get()).values.map(({ labels }) => labels.route))
  expect([...names]).toEqual(
    expect.arrayContaining(['/status/{public_slug}', '/status/{public_slug}/api/v1/incidents', 'none']),
  )
  expect([...names].filter((name) => String(name).includes('other'))).toEqual([])
})

test('a former slug redirects to the same address below the present slug', async () => {
  const { organization_id, id } = service.otherPage
  const address = `/orgs/${organization_id}/pages/${id}/admin/page`
  expect((await service.otherAdmin.patch(address, { public_slug: 'renamed' })).status).toBe(200)
  try {
    for (const rest of ['', '?a=b', '/subscribe', '/api/v1/incidents?limit=2', '//elsewhere.example/']) {
      const { status, headers } = await get(`/status/other${rest}`)
      const expected = rest.startsWith('//') ? [404, null] : [308, `/status/renamed${rest}`]
      expect([rest, status, headers.get('location')]).toEqual([rest, ...expected])
    }
    const named = await get('/status/first/api/v1/pages/public/other/summary?a=b')
    expect(named.headers.get('location')).toBe('/status/first/api/v1/pages/public/renamed/summary?a=b')
  } finally {
    await service.otherAdmin.patch(address, { public_slug: 'other' })
  }
})
