import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { AccessLink } from '../../src/persistence/entities/access-link.ts'
import { AuditEvent } from '../../src/persistence/entities/audit-event.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { change, cookieOf, makeLink, send } from './readers.ts'

const HOUR = 60 * 60 * 1000
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()

let service: TestService
beforeAll(async () => {
  service = await openTestService()
  await change(service, { visibility: 'private' })
  for (const title of ['One', 'Two']) await service.admin.post('/admin/incidents', { title })
})
afterAll(() => service.close())

describe('an access link', () => {
  test('is shown once, and stored as a hash', async () => {
    const expires_at = inMs(HOUR)
    const { status, body, headers } = await service.admin.post('/admin/page/access-links', {
      name: 'Board',
      expires_at,
    })
    const { token, url, ...rest } = body
    expect([status, headers.get('location')]).toEqual([201, `/api/v1/admin/page/access-links/${body.id}`])
    expect(token).toMatch(/^upl_[a-z0-9]{10}_[a-z0-9]{40}[0-9a-f]{8}$/)
    expect(url).toBe(`http://status.test/status/first?access=${token}`)
    expect(rest).toMatchObject({ name: 'Board', prefix: token.split('_')[1], state: 'active', expires_at })
    expect((await service.admin.get(`/admin/page/access-links/${body.id}`)).body).toEqual(rest)
    const { body: list } = await service.admin.get('/admin/page/access-links')
    expect([list.access_links[0], list.total]).toEqual([rest, 1])
    const em = service.services.system.em.fork()
    const stored = JSON.stringify([await em.find(AccessLink, {}), await em.find(AuditEvent, {})])
    expect(stored).not.toContain(token)
  })

  test.each([
    ['expires_at', undefined],
    ['expires_at', null],
    ['expires_at', inMs(-1000)],
    ['expires_at', inMs(367 * 24 * HOUR)],
    ['expires_at', 'tomorrow'],
    ['name', ''],
    ['scope', 'all'],
  ])('with a wrong %s is refused: %j', async (field, value) => {
    const link = { name: 'Board', expires_at: inMs(HOUR), [field]: value }
    const { status, body } = await service.admin.post('/admin/page/access-links', link)
    expect([status, body.errors[0].path]).toEqual([400, field])
  })

  test('works until it ends', async () => {
    const link = await makeLink(service, inMs(HOUR))
    const read = async () => (await send(service, `/api/v1/incidents?access=${link.token}`)).status
    expect(await read()).toBe(200)
    service.now = new Date(Date.now() + HOUR + 1000)
    expect(await read()).toBe(404)
    expect((await service.admin.get(`/admin/page/access-links/${link.id}`)).body.state).toBe('expired')
    service.now = undefined as never
    expect(await read()).toBe(200)
    const { body } = await service.admin.del(`/admin/page/access-links/${link.id}`)
    expect(body).toEqual({ message: 'The access link "Board" is deleted.' })
    expect(await read()).toBe(404)
  })

  test('opens the page and what its links lead to, until the link ends', async () => {
    const link = await makeLink(service)
    const opened = await send(service, `/status/first?access=${link.token}&locale=de`)
    expect(opened.status).toBe(200)
    const cookie = cookieOf(opened)
    for (const path of ['/status/first', '/status/first/subscribe', '/status/first/api/v1/incidents']) {
      expect([path, (await send(service, path, { cookie })).status]).toEqual([path, 200])
      expect((await send(service, path, { cookie })).headers.get('set-cookie')).toBeNull()
    }
    await service.admin.del(`/admin/page/access-links/${link.id}`)
    expect((await send(service, '/status/first', { cookie })).status).toBe(404)
  })

  test('stays in the links of a list, and out of the answers of other readers', async () => {
    const { token } = await makeLink(service)
    const first = await send(service, `/api/v1/incidents?limit=1&access=${token}`)
    const [, next] = /^<(.*)>; rel="next"$/.exec(first.headers.get('link')!)!
    const second = await send(service, next!)
    expect([second.status, second.body.incidents[0].title]).toEqual([200, 'One'])
    const own = await service.admin.get('/incidents?limit=1')
    expect(own.headers.get('link')).not.toContain('access')
    expect(own.headers.get('etag')).toBe(first.headers.get('etag'))
  })

  test('that is wrong makes no difference', async () => {
    for (const access of ['', 'upl_wrong', 'x'.repeat(5000), '%00']) {
      const { status, body } = await send(service, `/api/v1/incidents?access=${access}`)
      expect([access, status, body.code]).toEqual([access, 404, 'not_found'])
    }
    const { token } = await makeLink(service)
    expect((await send(service, `/api/v1/incidents?access=${token}&access=${token}`)).status).toBe(404)
    await change(service, { visibility: 'public' })
    expect((await send(service, '/api/v1/incidents?access=wrong')).status).toBe(200)
    await change(service, { visibility: 'private' })
  })

  test('a page has at most a hundred', async () => {
    const { total } = (await service.admin.get('/admin/page/access-links')).body
    for (let n = total; n < 100; n += 1) await makeLink(service)
    const { status, body } = await service.admin.post('/admin/page/access-links', {
      name: 'More',
      expires_at: inMs(HOUR),
    })
    expect([status, body.code]).toEqual([409, 'conflict'])
  })
})
