import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Caller } from '../support/caller.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let anyone: Caller
let id: number
beforeAll(async () => {
  service = await openTestService()
  anyone = service.as(undefined)
  const { body: item } = await service.admin.post('/admin/hierarchy/items', { name: 'API' })
  const { body } = await service.admin.post('/admin/incidents', {
    title: 'Down',
    external_id: 'secret-name',
    chat_channel_id: 'C-secret',
    reminder_interval_minutes: 40717,
    affected_items: [{ id: item.id }],
  })
  id = body.id
  await service.admin.post(`/admin/incidents/${id}/updates`, { message: 'We look into it.' })
})
afterAll(() => service.close())

describe('what customers see', () => {
  test.each(['/incidents', '/incidents?view=full', '/incidents/{id}'])(
    '%s hides what only operators need',
    async (path) => {
      const { status, body } = await anyone.get(path.replace('{id}', String(id)))
      expect(status).toBe(200)
      const incident = body.incidents?.[0] ?? body
      expect(incident.title).toBe('Down')
      for (const field of ['external_id', 'chat_channel_id', 'reminder_interval_minutes']) {
        expect(incident).not.toHaveProperty(field)
      }
      expect(JSON.stringify(body)).not.toMatch(/secret|40717/)
    },
  )

  test('an incident has its timeline and its items', async () => {
    const { body } = await anyone.get(`/incidents/${id}`)
    expect(body.updates).toEqual([expect.objectContaining({ message: 'We look into it.' })])
    expect(body.affected_items).toEqual([expect.objectContaining({ name: 'API', status: 'degraded' })])
  })

  test('an incident is not found by its external id', async () => {
    expect((await anyone.get('/incidents/external/secret-name')).status).toBe(404)
  })

  test('components have their statuses', async () => {
    const { body } = await anyone.get(`/pages/public/${service.page.page_slug}/components`)
    expect(body).toEqual({
      components: [expect.objectContaining({ name: 'API', slug: 'api', status: 'degraded', depth: 1 })],
      total: 1,
    })
    expect((await anyone.get('/pages/public/no-such-page/components')).status).toBe(404)
  })
})

const reads = ['/incidents', '/incidents?view=full&limit=1', '/pages/public/current-host', '//']

describe.each(reads)('caching of %s', (path) => {
  test('the strong ETag answers 304 until something changes', async () => {
    const first = await anyone.get(path)
    const etag = first.headers.get('etag')!
    expect(etag).toMatch(/^"[\w-]+"$/)
    expect(first.headers.get('cache-control')).toBe('public, no-cache')
    const again = await anyone.get(path, { 'If-None-Match': etag })
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', etag])
    expect((await anyone.get(path, { 'If-None-Match': '"other"' })).status).toBe(200)
    expect((await anyone.get(path, { 'If-None-Match': `"other", W/${etag}` })).status).toBe(304)
    expect((await anyone.get(path, { 'If-None-Match': '*' })).status).toBe(304)
  })

  test('HEAD answers the same headers without the body', async () => {
    const get = await anyone.get(path)
    const head = await anyone.request('HEAD', path)
    expect([head.status, head.body]).toEqual([200, ''])
    for (const name of ['etag', 'content-type', 'content-length', 'cache-control']) {
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)])
    }
  })

  test('any web page may read it', async () => {
    expect((await anyone.get(path, { Origin: 'https://else.where' })).headers.get('access-control-allow-origin')).toBe(
      '*',
    )
  })
})

describe('other web pages', () => {
  test('may ask before they read', async () => {
    const asking = { Origin: 'https://else.where', 'Access-Control-Request-Method': 'GET' }
    const { status, headers } = await anyone.request('OPTIONS', '/incidents', undefined, asking)
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-methods')).toContain('GET')
    expect(headers.get('access-control-allow-headers')).toBe('*')
  })

  test('may read errors, too', async () => {
    const { status, headers } = await anyone.get('/incidents/999999')
    expect([status, headers.get('access-control-allow-origin')]).toEqual([404, '*'])
  })

  test.each(['/admin/incidents', '/context', '/org/pages', '/orgs/1/pages/1/admin/incidents'])(
    'may not read %s',
    async (path) => {
      const { headers } = await service.admin.get(path, { Origin: 'https://else.where' })
      expect(headers.get('access-control-allow-origin')).toBeNull()
      const asking = { Origin: 'https://else.where', 'Access-Control-Request-Method': 'GET' }
      const answer = await anyone.request('OPTIONS', path, undefined, asking)
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    },
  )
})

test('a change is there at the next read', async () => {
  for (let n = 0; n < 10; n += 1) {
    const before = await anyone.get(`/incidents/${id}`)
    await service.admin.post(`/admin/incidents/${id}/updates`, { message: `news ${n}` })
    const after = await anyone.get(`/incidents/${id}`, { 'If-None-Match': before.headers.get('etag')! })
    expect([after.status, after.body.updates[0].message]).toEqual([200, `news ${n}`])
    expect((await anyone.get('/incidents')).body.incidents[0].version).toBe(after.body.version)
  }
})

describe('a private page', () => {
  beforeAll(async () => {
    await service.admin.patch('/admin/page', { visibility: 'private' })
  })
  afterAll(async () => {
    await service.admin.patch('/admin/page', { visibility: 'public' })
  })
  const paths = () => [
    ...reads,
    `/incidents/${id}`,
    `/pages/public/${service.page.page_slug}/components`,
    '//status/first',
  ]

  test('is closed to everybody, at once and also from the cache', async () => {
    for (const path of paths()) {
      const { status, body } = await anyone.get(path)
      expect([path, status]).toEqual([path, 404])
      expect(JSON.stringify(body)).not.toContain('Down')
    }
    const token = await service.token({ page: service.otherPage })
    // Where neither host nor path names the page, another page's token reads its own page.
    for (const path of paths()) {
      const { status, body } = await service.as(token).get(path)
      const isNamed = path.includes('first')
      if (isNamed || path === `/incidents/${id}`) expect([path, status]).toEqual([path, 404])
      expect(JSON.stringify(body)).not.toContain('Down')
    }
  })

  test('is open to a token of its own, and to no shared cache', async () => {
    const reader = service.as(await service.token({ permission: 'read', roleKey: 'page_viewer' }))
    for (const path of paths()) {
      const { status, headers } = await reader.get(path)
      expect([path, status, headers.get('cache-control')]).toEqual([path, 200, 'no-store'])
    }
  })
})
