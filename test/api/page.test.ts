import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { pathsOf } from '../../src/api/paths.ts'
import { routes } from '../../src/api/routes/index.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const change = (body: object) => service.admin.patch('/admin/page', body)
const get = async () => (await service.admin.get('/admin/page')).body

test('without a base domain a page answers below its slug', async () => {
  expect(await get()).toMatchObject({
    public_domain: 'status.test',
    public_url: 'http://status.test/status/first',
    fallback_url: 'http://status.test/status/first',
    custom_domains: [],
    version: expect.any(Number),
  })
})

test('what is changed is seen at once, everywhere, and the rest stays', async () => {
  const before = await get()
  const { status, body } = await change({ name: 'Acme status', public_slug: 'acme', page_slug: 'main' })
  expect(status).toBe(200)
  expect(body).toEqual({
    ...before,
    name: 'Acme status',
    public_slug: 'acme',
    page_slug: 'main',
    public_url: 'http://status.test/status/acme',
    fallback_url: 'http://status.test/status/acme',
    version: before.version + 1,
  })
  expect(await get()).toEqual(body)
  const { version, ...summary } = body
  expect((await service.admin.get('/context')).body.page).toEqual(summary)
  expect((await service.admin.get('/org/pages')).body.pages).toEqual([summary])
  expect((await service.as(undefined).get('/pages/public/current-host')).body).toEqual(summary)
  expect((await service.as(undefined).get('//status/acme')).status).toBe(200)
  expect((await service.as(undefined).get('/pages/public/main/components')).status).toBe(200)
})

describe('a field that does not work yet', () => {
  test.each(['sso', 'either', 'x', null])('is refused: viewer_auth_mode %j', async (viewer_auth_mode) => {
    const before = await get()
    const { status, body } = await change({ viewer_auth_mode, name: 'Changed' })
    const message = 'must be "none" or "password": the modes "sso" and "either" are not accepted yet'
    expect([status, body.errors]).toEqual([400, [{ path: 'viewer_auth_mode', message }]])
    expect(await get()).toEqual(before)
  })
})

describe('a renamed page', () => {
  const anyone = () => service.as(undefined)
  const moved = async (path: string) => {
    const { status, headers } = await anyone().get(path)
    return [status, headers.get('location')]
  }

  test('redirects from its former slugs, in links and in public reads', async () => {
    await change({ public_slug: 'second-name' })
    await change({ public_slug: 'third-name' })
    for (const slug of ['acme', 'second-name']) {
      expect(await moved(`//status/${slug}?locale=de`)).toEqual([308, '/status/third-name?locale=de'])
      expect(await moved(`/pages/public/${slug}/incidents?limit=1`)).toEqual([
        308,
        '/api/v1/pages/public/third-name/incidents?limit=1',
      ])
    }
    expect((await anyone().get('//status/third-name')).status).toBe(200)
  })

  test('loses a former slug to a page that takes it, and can take it back', async () => {
    const prefix = `/orgs/${service.otherPage.organization_id}/pages/${service.otherPage.id}/admin`
    const rename = (public_slug: string) => service.otherAdmin.patch(`${prefix}/page`, { public_slug })
    expect((await rename('acme')).status).toBe(200)
    expect((await anyone().get('//status/acme')).body).toContain('<bdi>Other</bdi>')
    await rename('other')
    expect(await moved('//status/acme')).toEqual([308, '/status/other'])
    await change({ public_slug: 'acme' })
    expect((await anyone().get('//status/acme')).body).toContain('<bdi>Acme status</bdi>')
    expect(await moved('//status/third-name')).toEqual([308, '/status/acme'])
  })

  test('that is private redirects only tokens of the page', async () => {
    await change({ visibility: 'private' })
    const none = await anyone().get('//status/never-a-page')
    const former = await anyone().get('//status/third-name')
    expect([former.status, former.body]).toEqual([404, none.body])
    expect((await service.admin.get('//status/third-name')).status).toBe(308)
    await change({ visibility: 'public' })
  })
})

test('a page that is read may be sent back', async () => {
  const before = await get()
  const { status, body } = await change(before)
  expect([status, body.name]).toEqual([200, before.name])
})

describe('slugs', () => {
  test('a public slug is taken once, everywhere', async () => {
    const before = await get()
    const { status, body } = await change({ public_slug: 'other', name: 'Changed' })
    expect([status, body.code, body.error]).toEqual([
      409,
      'conflict',
      'Another page has the public_slug "other" already.',
    ])
    expect(await get()).toEqual(before)
  })

  test('a page slug is taken once in an organization, and another may have it too', async () => {
    expect((await change({ page_slug: 'other' })).status).toBe(200)
  })

  test.each(['', 'A', 'a b', '-a', 'a-', 'a--b', 'ä', 'a.b', 'x'.repeat(64), null, 1])('%j is none', async (slug) => {
    for (const field of ['page_slug', 'public_slug']) {
      const { status, body } = await change({ [field]: slug })
      expect([status, body.errors[0].path]).toEqual([400, field])
    }
  })
})

test.each([
  ['name', ''],
  ['name', null],
  ['visibility', 'hidden'],
  ['visibility', null],
  ['version', 0],
  ['version', '1'],
  ['colour', 'red'],
])('a wrong %s is refused', async (field, value) => {
  const { status, body } = await change({ [field]: value })
  expect([status, body.errors[0].path]).toEqual([400, field])
})

describe('visibility', () => {
  const anyone = () => service.as(undefined)

  test('a private page is closed at once, and opens again', async () => {
    await anyone().get('/incidents')
    expect((await change({ visibility: 'private' })).body.visibility).toBe('private')
    for (const path of ['/incidents', '/pages/public/current-host', '/pages/public/other/components']) {
      expect([path, (await anyone().get(path)).status]).toEqual([path, 404])
      expect([path, (await service.admin.get(path)).status]).toEqual([path, 200])
    }
    expect((await change({ visibility: 'public' })).status).toBe(200)
    expect((await anyone().get('/incidents')).status).toBe(200)
  })

  test('a private page answers those who may not read it like a page that does not exist', async () => {
    await change({ visibility: 'private', page_slug: 'hidden', public_slug: 'hidden' })
    const strangers = [anyone(), service.otherAdmin, service.as('upb_wrong'), service.as(`${await service.token()}x`)]
    const seen = async (caller: typeof service.admin, path: string) => {
      const { status, body, headers } = await caller.get(path)
      const kept = ['content-type', 'cache-control', 'vary', 'etag', 'www-authenticate'].map((name) =>
        headers.get(name),
      )
      return [status, { ...body, request_id: undefined }, kept]
    }
    const reads = routes.filter(({ door, method }) => door === 'public' && method === 'GET').flatMap(pathsOf)
    const bySlug = reads.filter((path) => path.includes('{page_slug}')).map((path) => path.replace('{id}', '1'))
    expect(bySlug.length).toBeGreaterThan(6)
    for (const caller of strangers) {
      for (const path of [...bySlug.map((one) => `/${one}`), '//status/{page_slug}']) {
        const [hidden, none] = ['hidden', 'none'].map((slug) => path.replace('{page_slug}', slug))
        const answer = await seen(caller, hidden!)
        expect([path, answer[0]]).toEqual([path, 404])
        expect([path, answer]).toEqual([path, await seen(caller, none!)])
      }
    }
    await change({ visibility: 'public' })
  })
})
