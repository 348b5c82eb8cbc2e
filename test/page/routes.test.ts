import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Problem } from '../../src/domain/kernel/errors.ts'
import { openOrm } from '../../src/persistence/orm.ts'
import { openTestService, type TestService, type TestServiceOptions } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

let service: TestService
const testServices: TestService[] = []
async function open(options?: TestServiceOptions): Promise<TestService> {
  const opened = await openTestService(options)
  testServices.push(opened)
  return opened
}
beforeAll(async () => {
  service = await open()
})
afterAll(() => Promise.all(testServices.map((opened) => opened.close())))

const anybody = (of: TestService = service) => of.as(undefined)
const get = (path: string, headers?: Record<string, string>) => anybody().get(`/${path}`, headers)

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64')

function expectNotice(answer: Awaited<ReturnType<typeof get>>, status: number, words: string): void {
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(answer.body).toContain(`<h1>${words}</h1>`)
}

test('the title of the settings replaces the name of the page', async () => {
  const titled = await open()
  await titled.admin.patch('/admin/settings', { site_title: 'Acme <Status>' })
  const { body } = await anybody(titled).get('//')
  expect(body).toContain('<h1><bdi>Acme &lt;Status&gt;</bdi></h1>')
  expect(body).toContain('<title>Acme &lt;Status&gt;: ')
})

test('the page of the host is a document that may run its own scripts only', async () => {
  const { status, headers, body } = await get('/')
  expect(status).toBe(200)
  expect(body).toContain('<h1><bdi>First</bdi></h1>')
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  const style = /<style>(.*?)<\/style>/s.exec(body)![1]!
  const hash = hashOf(style)
  const inline = /<script>(.*?)<\/script>/s.exec(body)![1]!
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; script-src 'self' 'sha256-${hashOf(inline)}'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
  )
})

test('what is reported is on the page at once, and moves when it is resolved', async () => {
  const { body: shop } = await service.admin.post('/admin/hierarchy/items', { name: 'Shop' })
  await service.admin.post('/admin/hierarchy/items', { name: 'Checkout', parent_id: shop.id })
  const report = {
    title: 'Payments <fail>',
    status: 'major_outage',
    external_id: 'secret-id',
    affected_items: [{ slug: 'checkout' }],
  }
  const { body: incident } = await service.admin.post('/admin/incidents', report)
  await service.admin.post(`/admin/incidents/${incident.id}/updates`, { message: 'We look\ninto it.' })
  // On a busy machine a reader is given the last snapshot until the new one is made.
  const open = await until(
    () => get('/'),
    ({ body }) => body.includes('We look'),
  )
  expect(open.body).toContain('Major outage of Checkout.')
  expect(open.body).toContain('Payments &lt;fail&gt;')
  expect(open.body).toContain('We look<br>\ninto it.')
  expect(open.body).not.toContain('secret-id')
  await service.admin.post(`/admin/incidents/${incident.id}/resolve`)
  const after = await until(
    () => get('/'),
    ({ body }) => body.includes('All systems are operational.'),
  )
  expect(after.body.indexOf('Payments &lt;')).toBeGreaterThan(after.body.indexOf('Resolved in the last 14 days'))
  expect((await get('/status/other')).body).not.toContain('Payments &lt;')
})

test('an incident that was resolved more than 14 days ago is history', async () => {
  const { body } = await service.admin.post('/admin/incidents', {
    title: 'Long gone',
    started_at: '2020-01-01T00:00:00Z',
  })
  await service.admin.post(`/admin/incidents/${body.id}/resolve`, { resolved_at: '2020-01-02T00:00:00Z' })
  expect((await get('/')).body).not.toContain('Long gone')
})

test('the page is cached: 304, HEAD, and one snapshot for every query', async () => {
  const first = await get('/')
  const etag = first.headers.get('etag')!
  // A fetch that names an ETag asks for a fresh answer as well, unless the request names another cache mode.
  const again = await get('/', { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' })
  expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', etag])
  const head = await anybody().request('HEAD', '//')
  expect([head.status, head.body, head.headers.get('etag')]).toEqual([200, '', etag])
  expect((await get('/?utm_source=mail')).headers.get('etag')).toBe(etag)
})

test('a page is reached by its slug on any host', async () => {
  const { status, body } = await get('/status/other')
  expect(status).toBe(200)
  expect(body).toContain('<bdi>Other</bdi>')
})

test.each(['/status/nowhere', '/status/%00', '/status/%F0%9F', "/status/'--"])('%s is nowhere', async (path) => {
  expectNotice(await get(path), 404, 'There is no page here')
})

test('a credential that is wrong makes no difference on a public page', async () => {
  const { status, body } = await get('/', { Authorization: 'Bearer nonsense' })
  expect([status, body]).toEqual([200, (await get('/')).body])
})

describe('an unknown address', () => {
  const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

  test('is a page for a browser, with a way back to the page of the host', async () => {
    for (const path of ['/nowhere', '/api/v1/nowhere', '/status', '/status/first/nowhere']) {
      const answer = await get(path, browser)
      expectNotice(answer, 404, 'There is no page here')
      const home = path.startsWith('/status/first') ? '/status/first' : '/'
      expect(answer.body).toContain(`<a href="${home}">First</a>`)
    }
  })

  test('is JSON for everyone else', async () => {
    for (const Accept of ['*/*', 'application/json', 'text/plain']) {
      const { status, body } = await get('/nowhere', { Accept })
      expect([Accept, status, body.code]).toEqual([Accept, 404, 'not_found'])
    }
  })

  test('has no link to a private page', async () => {
    const closed = await open()
    await closed.admin.patch('/admin/page', { visibility: 'private' })
    const answer = await anybody(closed).get('//nowhere', browser)
    expectNotice(answer, 404, 'There is no page here')
    expect(answer.body).not.toContain('First')
  })

  test('below /status has the same link, and the page of the host has no link to itself', async () => {
    expect((await get('/status/nowhere')).body).toContain('<a href="/">First</a>')
    const bare = await open({
      deps: { directory: { ofHost: async () => undefined, version: () => undefined } as never },
    })
    expect((await anybody(bare).get('//')).body).not.toContain('<a ')
  })
})

test('the entrance of the API names its documents and its public reads', async () => {
  for (const path of ['', '/']) {
    const { status, body } = await anybody().get(path)
    expect(status).toBe(200)
    expect(body.documents).toEqual({ openapi: '/api/v1/openapi.json', docs: '/api/docs' })
    for (const address of Object.values<string>(body.documents)) expect((await get(address)).status).toBe(200)
    expect(body.public_reads).toEqual(expect.arrayContaining(['/api/v1/incidents', '/api/v1/settings']))
  }
})

describe('a private page', () => {
  let closed: TestService
  beforeAll(async () => {
    closed = await open()
    for (const admin of [closed.admin, closed.otherAdmin]) await admin.get('/context')
    expect((await closed.admin.patch('/admin/page', { visibility: 'private' })).status).toBe(200)
  })

  test('is not there for those who come without a credential, or with one that is wrong', async () => {
    for (const path of ['//', '//status/first']) {
      expectNotice(await anybody(closed).get(path), 404, 'There is no page here')
      expectNotice(await closed.as('upb_wrong').get(path), 404, 'There is no page here')
    }
  })

  test('is not there for those who guess its address, or come from another page', async () => {
    expectNotice(await anybody(closed).get('//status/first'), 404, 'There is no page here')
    expectNotice(await closed.otherAdmin.get('//status/first'), 404, 'There is no page here')
    expect((await closed.otherAdmin.get('//')).body).toContain('<bdi>Other</bdi>')
  })

  test('a private page is shown to its own token and cached by no proxy', async () => {
    for (const path of ['//', '//status/first']) {
      const { status, body, headers } = await closed.admin.get(path)
      expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
      expect(body).toContain('<bdi>First</bdi>')
    }
    expect((await anybody(closed).get('//')).body).not.toContain('First')
  })
})

test('a visitor with too many requests gets a notice to wait', async () => {
  const busy = await open({
    deps: {
      rateLimits: {
        public: 2,
        admin: 2,
        heartbeat: 2,
        ingest: 600,
        subscribe: 10,
        magic_link: 30,
        viewer_password: 10,
      },
    },
  })
  for (const path of ['//', '//status/first']) expect((await anybody(busy).get(path)).status).toBe(200)
  const answer = await anybody(busy).get('//')
  expectNotice(answer, 429, 'Too many requests')
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
})

test('a database that is away without a snapshot shows a notice, and a failure of the service shows no details', async () => {
  const failing = async (error: Error) => {
    const ofHost = () => Promise.reject(error)
    return anybody(await open({ deps: { directory: { ofHost, version: () => undefined } as never } })).get('//')
  }
  const away = await failing(new Problem('unavailable', 'The database is away: try again.'))
  expectNotice(away, 503, 'This page cannot be shown right now')
  expect(away.headers.get('retry-after')).toBe('2')
  const broken = await failing(new Error('a secret'))
  expectNotice(broken, 500, 'Something went wrong')
  expect(broken.body).not.toContain('a secret')
  expect(broken.body).toContain(broken.headers.get('x-request-id'))
})

test('an installation without a page shows a notice', async () => {
  const bare = await open({ deps: { directory: { ofHost: async () => undefined, version: () => undefined } as never } })
  expectNotice(await anybody(bare).get('//'), 404, 'There is no page here')
})

test('a page that was seen survives the database going away', async () => {
  const survivor = await open()
  const before = await anybody(survivor).get('//')
  const silent = createServer((socket) => socket.end()).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  survivor.services.app = await openOrm({ url: `postgres://missing@127.0.0.1:${port}/nothing`, poolMax: 1 })
  survivor.services.pageChanged(survivor.page.id)
  const after = await anybody(survivor).get('//')
  expect([after.status, after.body, after.headers.get('etag')]).toEqual([200, before.body, before.headers.get('etag')])
  const unseen = await anybody(survivor).get('//status/other')
  expectNotice(unseen, 503, 'This page cannot be shown right now')
  expect(unseen.headers.get('retry-after')).toBe('2')
  await survivor.services.app.close(true)
  silent.close()
})

test('a published report is on the page, and a translated text has its language', async () => {
  const shop = await open()
  const on = { multilingual_enabled: true, multilingual_public_ready: true }
  await shop.admin.patch('/admin/settings', on)
  const german = (values: object) => [{ locale: 'de', values, state: 'published' }]
  const report = { title: 'Down', description: 'It is down.', translations: german({ title: 'Ausfall' }) }
  const { id } = (await shop.admin.post('/admin/incidents', report)).body
  await shop.admin.post(`/admin/incidents/${id}/resolve`, { resolution_message: 'Fixed.' })
  const path = `/admin/incidents/${id}/report`
  const written = { title: 'Why', body: 'A queue.', translations: german({ body: 'Eine Schlange.' }) }
  await shop.admin.request('PUT', path, written)
  expect((await anybody(shop).get('//')).body).not.toContain('Post-incident report')
  await shop.admin.post(`${path}/publish`)
  expect((await anybody(shop).get('//')).body).toMatch(/Post-incident report.*Why.*A queue\./s)
  const { body } = await anybody(shop).get('//', { 'Accept-Language': 'de' })
  expect(body).toContain('<html lang="de" dir="ltr"')
  for (const part of ['<h3 dir="auto">Ausfall', '<h4 dir="auto" lang="en">Why', 'dir="auto"><p>Eine Schlange.']) {
    expect(body).toContain(part)
  }
  expect(body).toMatch(/dir="auto" lang="en"><p>It is down\./)
})

test('the settings decide the format of dates and the order of an open incident', async () => {
  const shop = await open({ frozenAt: new Date('2026-03-02T14:05:00Z') })
  const read = async (settings: object) => {
    await shop.admin.patch('/admin/settings', settings)
    return (await anybody(shop).get('//')).body as string
  }
  const { body } = await shop.admin.post('/admin/incidents', { title: 'Down', description: 'It is down.' })
  await shop.admin.post(`/admin/incidents/${body.id}/updates`, { message: 'We look.' })
  const first = (page: string) => (page.indexOf('We look.') < page.indexOf('It is down.') ? 'update' : 'description')
  expect(await read({})).toContain('2 March 2026 at 14:05 UTC')
  expect(await read({ document_locale: 'fr' })).toContain('2 mars 2026 à 14:05 UTC')
  expect(await read({ datetime_locale: 'de' })).toContain('2. März 2026 um 14:05 UTC')
  expect(await read({ datetime_locale: null })).toContain('2 mars 2026 à 14:05 UTC')
  expect(first(await read({}))).toBe('description')
  expect(first(await read({ incident_primary_message_mode: 'latest_update' }))).toBe('update')
})
