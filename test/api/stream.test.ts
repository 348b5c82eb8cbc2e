import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { enter } from '../access/readers.ts'
import { openEventStream } from '../support/event-stream.ts'
import { makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

let service: TestService
let item: number
const opened: { close(): void }[] = []
beforeAll(async () => {
  service = await openTestService({ streamLimits: { perAddress: 4 }, baseDomain: 'status.test' })
  item = await makeItem(service, 'Search')
})
afterEach(async () => {
  for (const stream of opened.splice(0)) stream.close()
  await until(
    () => service.streams.count,
    (count) => count === 0,
  )
})
afterAll(() => service.close())

async function open(headers: Record<string, string> = {}, { slug = service.page.page_slug, query = '' } = {}) {
  const stream = await openEventStream(`${service.url}/api/v1/pages/public/${slug}/stream${query}`, headers)
  opened.push(stream)
  return stream
}

let reports = 0
const report = async () => {
  reports += 1
  return (await service.admin.post('/admin/incidents', { title: `Report ${reports}`, affected_items: [{ id: item }] }))
    .body.id
}

test('a stream begins with the version of the page, and names the sections of each change', async () => {
  const stream = await open()
  expect(stream.status).toBe(200)
  expect(Object.fromEntries(stream.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    ...{ 'cache-control': 'no-store', 'x-accel-buffering': 'no', 'access-control-allow-origin': '*' },
  })
  expect(await stream.next()).toEqual({ retry: '5000' })
  const version = await stream.nextVersion()
  const id = await report()
  const opening = await stream.nextChange()
  expect(opening.data).toEqual({ version: opening.id, sections: ['status', 'current_activity', 'components'] })
  expect(opening.id).not.toBe(version)
  await service.admin.post(`/admin/incidents/${id}/updates`, { message: 'We are on it.' })
  expect((await stream.nextChange()).data!.sections).toEqual(['current_activity'])
  await service.admin.post(`/admin/incidents/${id}/resolve`)
  const closing = await stream.nextChange()
  expect(closing.data!.sections).toEqual(['status', 'current_activity', 'components', 'past_incidents'])
  await service.admin.patch('/admin/settings', { site_title: 'Our status' })
  expect((await stream.nextChange()).data!.sections).toEqual(['page'])
  const translations = [{ locale: 'de', values: { name: 'Suche' }, state: 'published' }]
  await service.admin.patch(`/admin/hierarchy/items/${item}`, { translations })
  expect((await stream.nextChange()).data!.sections).toEqual(['page'])
})

test('a change that readers cannot see is no event', async () => {
  const stream = await open()
  await stream.nextVersion()
  await service.admin.post('/admin/presets', { title: 'P', body: 'B', kind: 'incident_update' })
  service.services.pageChanged(service.page.id)
  service.services.pageChanged(service.otherPage.id)
  const id = await report()
  expect((await stream.nextChange()).data!.sections).toEqual(['status', 'current_activity', 'components'])
  await service.admin.post(`/admin/incidents/${id}/resolve`)
})

test('after a reconnection, one event for all changes since', async () => {
  const first = await open()
  const version = await first.nextVersion()
  const id = await report()
  await service.admin.post(`/admin/incidents/${id}/updates`, { message: 'We are on it.' })
  const again = await open({ 'Last-Event-ID': version })
  const { data } = await again.nextChange()
  expect(data!.sections).toEqual(['status', 'current_activity', 'components'])
  const late = await open({}, { query: `?version=${version}` })
  expect((await late.nextChange()).data).toEqual(data)
  // The next event is that of a later change.
  const current = await open({ 'Last-Event-ID': data!.version })
  await service.admin.post(`/admin/incidents/${id}/resolve`)
  const later = await current.nextChange()
  expect(later).toEqual(await late.nextChange())
})

test('of a version of an unknown form, all sections have changed', async () => {
  for (const unknown of ['17', 'not a version!']) {
    const { data } = await (await open({ 'Last-Event-ID': unknown })).nextChange()
    expect(data!.sections).toContain('past_incidents')
    expect(data!.sections).toHaveLength(6)
  }
})

test('the page is found by each form of its address', async () => {
  expect((await open({}, { slug: service.page.public_slug })).status).toBe(200)
  expect((await open({}, { slug: 'none' })).status).toBe(404)
  const former = service.otherPage.public_slug
  await service.otherAdmin.patch('/admin/page', { public_slug: 'renamed' })
  const moved = await open({}, { slug: former })
  expect([moved.status, moved.headers.get('location')]).toEqual([308, '/api/v1/pages/public/renamed/stream'])
  const path = `/pages/public/${service.page.page_slug}/stream`
  const { request } = service.as(undefined)
  const head = await request('HEAD', path)
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  expect((await request('POST', path)).status).toBe(405)
  expect((await service.as(undefined).get(`${path}?x=1`)).body.errors).toMatchObject([{ path: 'x' }])
})

test('a page that becomes private ends the streams of strangers', async () => {
  const stream = await open()
  await stream.nextVersion()
  const own = await open({ Authorization: `Bearer ${await service.token()}` })
  await own.nextVersion()
  await service.admin.patch('/admin/page', { visibility: 'private' })
  let event = await stream.next()
  while (event) event = await stream.next()
  expect((await open()).status).toBe(404)
  expect(service.streams.count).toBe(1)
  await service.admin.patch('/admin/page', { visibility: 'public' })
  await report()
  await own.nextChange()
})

test('the stream of a viewer ends with the session, and the stream of an access link with the link', async () => {
  const { body: link } = await service.admin.post('/admin/page/access-links', {
    ...{ name: 'Board', expires_at: new Date(Date.now() + 3_600_000).toISOString() },
  })
  await service.admin.patch('/admin/page', { viewer_auth_mode: 'password', viewer_password: 'correct horse' })
  const { page_slug } = service.page
  const Cookie = await enter(service, 'correct horse')
  expect((await open()).status).toBe(401)
  const viewer = await open({ Cookie: Cookie! })
  const holder = await open({}, { query: `?access=${link.token}` })
  expect([viewer.status, holder.status, holder.headers.get('cache-control')]).toEqual([200, 200, 'no-store'])
  expect((await service.as(undefined).get(`/pages/public/${page_slug}/stream?access=${link.token}&x=1`)).status).toBe(
    400,
  )
  await Promise.all([viewer.nextVersion(), holder.nextVersion()])
  const ended = async (stream: typeof viewer) => {
    for (let event = await stream.next(); event; ) event = await stream.next()
  }
  await service.admin.patch('/admin/page', { viewer_password: 'another password' })
  await ended(viewer)
  await report()
  await holder.nextChange()
  await service.admin.del(`/admin/page/access-links/${link.id}`)
  await ended(holder)
  await service.admin.patch('/admin/page', { viewer_auth_mode: 'none' })
})

test('an address has a limit, which a closed stream leaves', async () => {
  const streams = [await open(), await open(), await open(), await open()]
  const refused = await service.as(undefined).get(`/pages/public/${service.page.page_slug}/stream`)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
  expect(refused.body).toMatchObject({
    ...{ code: 'rate_limited', error: '4 streams of this address are open already: close one of them.' },
  })
  streams[0]!.close()
  await until(
    () => service.streams.count,
    (count) => count === 3,
  )
  expect((await open()).status).toBe(200)
})

test('a stream costs its address one request', async () => {
  const limits = { public: 2, admin: 10, heartbeat: 10, ingest: 10, subscribe: 10, magic_link: 30, viewer_password: 10 }
  const limited = await openTestService({ deps: { rateLimits: limits } })
  const url = `${limited.url}/api/v1/pages/public/${limited.page.page_slug}/stream`
  const streams = [await openEventStream(url), await openEventStream(url), await openEventStream(url)]
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 429])
  expect(streams[0]!.headers.get('x-ratelimit-tier')).toBe('public')
  for (const stream of streams) stream.close()
  await limited.close()
})

test('a process that stops ends its streams and refuses new ones', async () => {
  const stopping = await openTestService()
  const url = `${stopping.url}/api/v1/pages/public/${stopping.page.page_slug}/stream`
  const stream = await openEventStream(url)
  await stream.nextVersion()
  await stopping.streams.close()
  expect(await stream.next()).toBeUndefined()
  const refused = await stopping.as(undefined).get(`/pages/public/${stopping.page.page_slug}/stream`)
  expect([refused.status, refused.body.code, refused.headers.get('content-type')]).toEqual([
    ...[503, 'unavailable', 'application/json; charset=utf-8'],
  ])
  await stopping.close()
})
