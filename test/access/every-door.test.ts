import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { pathsOf } from '../../src/api/paths.ts'
import { routes } from '../../src/api/routes/index.ts'
import { calendarAddresses } from '../../src/calendar/addresses.ts'
import { embedAddresses } from '../../src/embeds/embed-addresses.ts'
import { feedAddresses } from '../../src/feeds/feed-addresses.ts'
import { sitePages } from '../../src/page/site-pages.ts'
import { AccessLink } from '../../src/persistence/entities/access-link.ts'
import { statuspageAddresses } from '../../src/statuspage/addresses.ts'
import type { Answer } from '../support/caller.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { change, cookieOf, enter, makeLink, send } from './readers.ts'

type Door = 'document' | 'data'

/** More requests without a snapshot would wait too long for a connection to the database on a busy machine. */
const AT_ONCE = 20

/** Every address of a reader, below the host and below the slug. */
const data = routes
  // A wrong code is refused in every state.
  .filter(({ door, proves }) => door === 'public' && !proves)
  .flatMap((route) => pathsOf(route).map((path) => ({ method: route.method, path, status: route.status, route })))
/** A stream that is read to its end would not end. */
const stream = { method: 'HEAD', path: '/api/v1/pages/public/{page_slug}/stream', status: 200 }
const reads = [...embedAddresses, ...feedAddresses, ...calendarAddresses, ...statuspageAddresses].map(({ path }) => ({
  method: 'GET',
  path: path.replace(/:(\w+)/g, '{$1}'),
  status: 200,
}))
const documents = [...sitePages.map(({ path }) => path), '/subscribe', '/preview.png', '/v/{view_code}'].map((path) => {
  return { method: 'GET', path: path === '/' ? '' : path.replace(':id', '{id}'), status: 200 }
})

const states = {
  'public and none': { visibility: 'public', viewer_auth_mode: 'none' },
  'private and none': { visibility: 'private', viewer_auth_mode: 'none' },
  'public and password': { visibility: 'public', viewer_auth_mode: 'password' },
  'private and password': { visibility: 'private', viewer_auth_mode: 'password' },
} as const
type State = keyof typeof states

const readers = [
  ...['anonymous', 'token', 'foreign token', 'wrong token', 'session', 'old session', 'session of another page'],
  ...['link', 'cookie of link', 'expired link', 'deleted link', 'cookie of deleted link', 'link of another page'],
] as const
type Reader = (typeof readers)[number]
type Sent = { token?: string | undefined; cookie?: string | undefined; access?: string }

/** Who reads in which state; all others get the answer of the state. */
const admitted: Record<State, readonly string[]> = {
  'public and none': readers,
  'private and none': ['token', 'link', 'cookie of link'],
  'public and password': ['token', 'link', 'cookie of link', 'session'],
  'private and password': ['token', 'link', 'cookie of link', 'session'],
}
const refusal: Record<State, number> = {
  'public and none': 200,
  'private and none': 404,
  'public and password': 401,
  'private and password': 401,
}

let service: TestService
let ids: Record<string, number>
beforeAll(async () => {
  service = await openTestService()
  const { admin } = service
  const { body: item } = await admin.post('/admin/hierarchy/items', { name: 'Shop' })
  const { body: incident } = await admin.post('/admin/incidents', { title: 'Down' })
  const planned = { title: 'Upgrade', affected_items: [{ id: item.id }] }
  const { body: maintenance } = await admin.post('/admin/maintenances', planned)
  await admin.patch('/admin/settings', { embed_badge_enabled: true, embed_widget_enabled: true })
  await admin.post('/admin/views', { name: 'Shop', alias: 'shop', items: [{ id: item.id }] })
  const feedOf = async (format: string) => (await admin.post('/admin/feeds', { name: 'Shop', format })).body.id
  const feeds = {
    'feeds.rss': await feedOf('rss'),
    'feeds.atom': await feedOf('atom'),
    'feeds.ics': await feedOf('ics'),
  }
  ids = { incidents: incident.id, maintenances: maintenance.id, items: item.id, ...feeds }
})
afterAll(() => service.close())

async function readersOf(state: State): Promise<Record<Reader, Sent>> {
  await change(service, { viewer_auth_mode: 'password', viewer_password: 'the first password' })
  const old = await enter(service, 'the first password')
  await change(service, { viewer_password: 'the second password' })
  const other = `/orgs/${service.otherPage.organization_id}/pages/${service.otherPage.id}/admin/page`
  await service.otherAdmin.patch(other, { viewer_auth_mode: 'password', viewer_password: 'the first password' })
  const elsewhere = await enter(service, 'the first password', '/status/other')
  const session = await enter(service, 'the second password')
  const [link, expired, deleted] = [await makeLink(service), await makeLink(service), await makeLink(service)]
  const cookieOfLink = async ({ token }: { token: string }) => cookieOf(await send(service, `/?access=${token}`))
  const [ofLink, ofDeleted] = [await cookieOfLink(link), await cookieOfLink(deleted)]
  const past = { expires_at: new Date(Date.now() - 1000) }
  await service.services.system.em.fork().nativeUpdate(AccessLink, { id: expired.id }, past)
  await service.admin.del(`/admin/page/access-links/${deleted.id}`)
  const { body: foreign } = await service.otherAdmin.post(`${other}/access-links`, {
    name: 'Other',
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  })
  const { visibility, viewer_auth_mode } = states[state]
  await change(service, { visibility, viewer_auth_mode })
  for (const cookie of [old, elsewhere, session, ofLink, ofDeleted]) expect(cookie).toMatch(/^upbeat_viewer_\d+=/)
  return {
    anonymous: {},
    token: { token: await service.token({ permission: 'read', roleKey: 'page_viewer' }) },
    'foreign token': { token: await service.token({ page: service.otherPage }) },
    'wrong token': { token: 'upb_wrong' },
    session: { cookie: session },
    'old session': { cookie: old },
    'session of another page': { cookie: elsewhere!.replace(/^\w+/, session!.split('=')[0]!) },
    link: { access: link.token },
    'cookie of link': { cookie: ofLink },
    'expired link': { access: expired.token },
    'deleted link': { access: deleted.token },
    'cookie of deleted link': { cookie: ofDeleted },
    'link of another page': { access: foreign.token },
  }
}

async function call(door: Door, target: { method: string; path: string }, { token, cookie, access }: Sent) {
  const [, kind = 'incidents', format = ''] = /(\w+)\/\{id\}(\.\w+)?/.exec(target.path) ?? []
  const id = ids[kind + format]
  const path =
    target.path.replace('{page_slug}', 'first').replace('{id}', String(id)).replace('{view_code}', 'shop') || '/'
  const query = access ? `?access=${access}` : ''
  const json = target.method === 'POST' ? { json: { email: 'reader@example.com' } } : {}
  const headers = { Accept: door === 'document' ? 'text/html' : 'application/json' }
  return send(service, path + query, { ...target, token, cookie, headers, ...json })
}

const codes: Record<number, string> = { 401: 'viewer_auth_required', 404: 'not_found' }

function admittedBy(target: { status: number }, reader: Reader, { status, headers, body }: Answer) {
  const kept = ['cache-control', 'x-robots-tag', 'referrer-policy'].map((name) => headers.get(name))
  const isKept = reader !== 'link' || kept.join() === 'no-store,noindex,no-referrer'
  return status === target.status && isKept ? 'as it should' : [status, kept, body]
}

describe.each(Object.keys(states) as State[])('a page that is %s', (state) => {
  let known: Record<Reader, Sent>
  beforeAll(async () => {
    known = await readersOf(state)
  })

  const doors = [
    ...documents.flatMap((one) => ['/status/first', ''].map((base) => ({ door: 'document' as const, base, ...one }))),
    ...[...data, ...reads, stream].flatMap((one) =>
      ['/status/first', ''].map((base) => ({ door: 'data' as const, base, ...one })),
    ),
  ].map((one) => ({ ...one, path: one.base + one.path }))

  test.each(readers)('answers %s the same way at every door', async (reader) => {
    const isIn = admitted[state].includes(reader)
    // Without a slug in its path, a request with a foreign token is about the page of this token.
    const isAbout = (path: string) => reader !== 'foreign token' || /^\/status|\{page_slug\}/.test(path)
    const passes = async (one: (typeof doors)[number]) => {
      const answer = await call(one.door, one, known[reader])
      const found = isIn ? admittedBy(one, reader, answer) : refused(one.door, answer)
      expect([one.method, one.path, found]).toEqual([one.method, one.path, 'as it should'])
      const caching = answer.headers.get('cache-control') ?? ''
      if (state !== 'public and none') expect(caching).not.toContain('public')
    }
    const refused = (door: Door, { status, body }: Answer) => {
      const isAsking = status === 401
      const isCoded = () => body === '' || body.code === codes[status]
      const isShown = door === 'document' ? body.includes('name="password"') === isAsking : isCoded()
      return status === refusal[state] && isShown ? 'as it should' : [status, body]
    }
    const asked = doors.filter(({ path }) => isAbout(path))
    for (let next = 0; next < asked.length; next += AT_ONCE)
      await Promise.all(asked.slice(next, next + AT_ONCE).map(passes))
  })
})

test('a page of the host answers a foreign token like everyone', async () => {
  await readersOf('public and password')
  const token = await service.token({ page: service.otherPage })
  expect((await send(service, '/status/first/api/v1/incidents', { token })).status).toBe(401)
})
