import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { pathsOf } from '../../src/api/paths.ts'
import { routes } from '../../src/api/routes/index.ts'
import type { Route } from '../../src/api/routes/route.ts'
import { ManagedDomain } from '../../src/persistence/entities/managed-domain.ts'
import { insertAction } from '../support/acting.ts'
import { type House, openHouse } from '../support/house.ts'
import { until } from '../support/wait.ts'
import { type Document, exampleBody } from './support/document.ts'
import { fillIn, makeRecords, scopedTo } from './support/records.ts'

const permissions = ['read', 'write', 'admin'] as const
const roles = ['page_viewer', 'page_manager', 'page_admin'] as const

/** As the contract says it, and not as the code does. */
const plainAreas = ['incidents', 'maintenance', 'hierarchy', 'vocabulary', 'beats', 'reviews']
const readableAreas = ['settings', 'audit']
const adminAreas = ['tokens', 'roles', ...readableAreas]
const rank = { read: 1, write: 2, admin: 3 }

const credentials = permissions.flatMap((permission) => roles.map((roleKey) => ({ permission, roleKey })))
type Credential = (typeof credentials)[number]
const strongest = { permission: 'admin', roleKey: 'page_admin' } as const

function reach({ permission, roleKey }: Credential, area: string): number {
  const ofOthers = plainAreas.includes(area) ? [1, 2] : readableAreas.includes(area) ? [1, 1] : [0, 0]
  const ofRole = { page_viewer: ofOthers[0]!, page_manager: ofOthers[1]!, page_admin: 3 }[roleKey]
  return Math.min(rank[permission], ofRole)
}

let house: House
let document: Document
const tokens = new Map<string, string>()
const nameOf = (page: Page, { permission, roleKey }: Credential) => `${page.id} ${permission} ${roleKey}`

beforeAll(async () => {
  house = await openHouse()
  await makeRecords(scopedTo(house.admin, house.page), 'own')
  await makeRecords(scopedTo(house.otherAdmin, house.otherPage), 'other')
  // What beats want to tell is made by their processes alone.
  for (const page of [house.page, house.otherPage]) await insertAction(house, page)
  // The address of the service names the page, so that another page's token is foreign there.
  const own = { page_id: house.page.id, created_at: new Date(), hostname: '127.0.0.1', active: true }
  await house.services.system.em.fork().insert(ManagedDomain, own)
  // Pages are kept in memory for a second.
  await until(
    () => house.otherAdmin.get('/admin/page'),
    ({ status }) => status === 404,
  )
  document = (await house.admin.get('/openapi.json')).body
  for (const page of [house.page, house.otherPage]) {
    for (const credential of credentials) {
      tokens.set(nameOf(page, credential), await house.token({ ...credential, page }))
    }
  }
})
afterAll(() => house.close())

type Page = House['page']

const known = new Map<string, string[]>()

/** The addresses of a route for calls that change nothing, so that they need to be found but once. */
async function lasting(route: Route, page: Page, records = page): Promise<string[]> {
  const name = `${route.method} ${route.path} ${page.id} ${records.id}`
  const found = known.get(name) ?? (await addresses(route, page, records))
  known.set(name, found)
  return found
}

/** Every address of the route on a page, with parameters that name records of that page or of another. */
async function addresses(route: Route, page: Page, records = page): Promise<string[]> {
  // What an operation deletes or revokes is the newest token, which must not be one that this test still needs.
  if (route.operation.area === 'tokens' && route.method !== 'GET') await house.token({ page: records })
  const admin = scopedTo(records === house.page ? house.admin : house.otherAdmin, records)
  const ids = { '{org_id}': page.organization_id, '{page_id}': page.id }
  // The calls of this test change the page too.
  const { page_slug } = (await admin.get('/page')).body
  return pathsOf({ ...route, path: await fillIn(route.path, admin, document) }).map((path) =>
    path
      .replace('/api/v1', '')
      .replace('{page_slug}', page_slug)
      .replace(/\{(org|page)_id\}/g, (name) => String(ids[name as keyof typeof ids])),
  )
}

async function call(route: Route, path: string | undefined, token: string | undefined): Promise<number> {
  const body = ['GET', 'DELETE'].includes(route.method)
    ? undefined
    : exampleBody(document, pathsOf(route)[0]!, route.method)
  return (await house.as(token).request(route.method, path!, body)).status
}

const titled = (list: Route[]) =>
  list.map((route) => [`${route.method} ${route.path} (${route.operation.name})`, route] as const)

describe.each(titled(routes.filter((route) => route.door !== 'public')))('%s', (_title, route) => {
  const { area, permission: needed, changes, name } = route.operation
  const reaches = (credential: Credential) => reach(credential, area) >= rank[needed as 'read']

  test('asks for what its area and its method ask for', () => {
    expect([...plainAreas, ...adminAreas]).toContain(area)
    const toRead = plainAreas.includes(area) ? ['read'] : readableAreas.includes(area) ? ['read', 'admin'] : ['admin']
    const toWrite = adminAreas.includes(area) ? ['admin'] : ['write', 'admin']
    // Some only calculate: what may be read may be asked for with POST, too.
    expect(changes ? toWrite : [...toRead, ...toWrite]).toContain(needed)
  })

  test('changes something only behind a method that may', () => {
    if (route.method === 'GET') expect(changes).toBe(false)
    else expect(changes || /\.(validate|preview|test)$/.test(name)).toBe(true)
  })

  test('is refused without a token, with too little of one, and with another page’s', async () => {
    const paths = [...(await lasting(route, house.page)), ...(await lasting(route, house.otherPage))]
    for (const path of paths) expect([path, await call(route, path, undefined)]).toEqual([path, 401])
    // Below the page host there is the own page alone: only the scoped address names the other one.
    const [here, scoped, , elsewhere] = paths.length === 4 ? paths : [paths[0]]
    for (const credential of credentials) {
      const foreign = tokens.get(nameOf(house.otherPage, credential))
      const own = tokens.get(nameOf(house.page, credential))
      for (const path of [here, scoped].filter(Boolean)) {
        expect([path, credential, await call(route, path, foreign)]).toEqual([path, credential, 404])
        if (reaches(credential)) continue
        expect([path, credential, await call(route, path, own)]).toEqual([path, credential, 403])
      }
      if (elsewhere) expect([credential, await call(route, elsewhere, own)]).toEqual([credential, 404])
    }
  })

  test.each(credentials.filter(reaches))('is open to $permission as $roleKey', async (credential) => {
    const token = tokens.get(nameOf(house.page, credential))
    for (const door of pathsOf(route).keys()) {
      const path = (await (changes ? addresses : lasting)(route, house.page))[door]
      const status = await call(route, path, token)
      // What stands below a record, such as its report, may not have been written, and what is deleted is gone.
      const missing = route.method === 'DELETE' || /\}\/[a-z/-]+$/.test(route.path) ? [404] : []
      expect([200, 201, 202, 400, 409, ...missing]).toContain(status)
    }
  })
})

const creates = (route: Route) => route.method === 'PUT' && route.path.endsWith('/external/{external_id}')
const inPath = routes.filter((route) => route.door !== 'public' && route.path.includes('{'))
/** Those that create come last: what they put under a name is found by it from then on. */
const naming = inPath.sort((a, b) => Number(creates(a)) - Number(creates(b)))

test.each(titled(naming))('a record of another page is not there for %s', async (_title, route) => {
  const token = tokens.get(nameOf(house.page, strongest))
  for (const path of await lasting(route, house.page, house.otherPage)) {
    // What is put under a name that another page uses is the own page's.
    const expected = creates(route) ? [200, 201, 400, 409] : [404]
    expect(expected).toContain(await call(route, path, token))
  }
})

describe.each(titled(routes.filter((route) => route.door === 'public')))('%s', (_title, route) => {
  test('needs no token, and takes every one', async () => {
    for (const path of await addresses(route, house.page)) {
      expect(await call(route, path, undefined)).toBe(200)
      for (const token of tokens.values()) expect(await call(route, path, token)).toBe(200)
      expect(await call(route, path, 'upb_wrong')).toBe(200)
    }
  })
})

test('public reads do not show another page’s incident', async () => {
  const { body } = await scopedTo(house.otherAdmin, house.otherPage).get('/incidents')
  const { status } = await house.as(undefined).get(`/incidents/${body.incidents[0].id}`)
  expect(status).toBe(404)
})

test('the list of roles holds the permissions of each role', async () => {
  const { roles } = (await house.admin.get('/admin/roles')).body
  for (const { role_key, grants } of roles) {
    const word = ['', 'read', 'write', 'admin']
    const areas = [...plainAreas, ...adminAreas].flatMap((area) => {
      const reached = word[reach({ permission: 'admin', roleKey: role_key }, area)]
      return reached ? [[area, reached]] : []
    })
    expect([role_key, grants]).toEqual([role_key, Object.fromEntries(areas)])
  }
})
