import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { pathsOf } from '../../../src/api/paths.ts'
import { routes } from '../../../src/api/routes/index.ts'
import type { Route } from '../../../src/api/routes/route.ts'
import { openPermissions } from './permission-records.ts'
import {
  adminAreas,
  type Credential,
  credentials,
  plainAreas,
  rank,
  reach,
  readableAreas,
  strongest,
} from './permission-rules.ts'

/** Tests every admin route of these areas with every permission and role, with tokens of both pages and without a token. */
export function testPermissions(areas: string[]) {
  const setup = openPermissions()
  beforeAll(setup.open)
  afterAll(setup.close)
  const ofAreas = routes.filter(
    ({ door, operation: { area } }) => ['admin', 'api'].includes(door) && areas.includes(area),
  )
  describe.each(titled(ofAreas))('%s', (_title, route) => testRoute(setup, route))
  // A create under an external id comes last: the lookups of later cases would find its record.
  const naming = ofAreas
    .filter(({ path }) => path.includes('{'))
    .toSorted((a, b) => Number(creates(a)) - Number(creates(b)))
  test.each(titled(naming))('the page does not have the records of another page for %s', async (_title, route) => {
    const token = setup.token(setup.page(), strongest)
    for (const path of await setup.knownAddresses(route, setup.page(), setup.otherPage())) {
      // An external id of another page is free on this page.
      const expected = creates(route) ? [200, 201, 400, 409] : [404]
      expect(expected).toContain(await setup.call(route, path, token))
    }
  })
  return setup
}

export const titled = (list: Route[]) =>
  list.map((route) => [`${route.method} ${route.path} (${route.operation.name})`, route] as const)

const creates = (route: Route) => route.method === 'PUT' && route.path.endsWith('/external/{external_id}')

function testRoute(setup: ReturnType<typeof openPermissions>, route: Route): void {
  const { area, permission: needed, changes, name } = route.operation
  const reaches = (credential: Credential) => reach(credential, area) >= rank[needed as 'read']

  test('the operation needs a permission of its area and of its method', () => {
    expect([...plainAreas, ...adminAreas]).toContain(area)
    const toRead = plainAreas.includes(area) ? ['read'] : readableAreas.includes(area) ? ['read', 'admin'] : ['admin']
    const toWrite = adminAreas.includes(area) ? ['admin'] : area === 'agent' ? ['read'] : ['write', 'admin']
    // A POST that only calculates may need the permission of a read.
    expect(changes ? toWrite : [...toRead, ...toWrite]).toContain(needed)
  })

  test('the operation changes records only with a method that may change records', () => {
    if (route.method === 'GET') expect(changes).toBe(false)
    else expect(changes || /\.(validate|preview|test)$/.test(name)).toBe(true)
  })

  test('the route refuses calls without a token, with too low a permission and with a token of another page', async () => {
    const { call } = setup
    const [own, other] = [setup.page(), setup.otherPage()]
    const paths = [...(await setup.knownAddresses(route, own)), ...(await setup.knownAddresses(route, other))]
    for (const path of paths) expect([path, await call(route, path, undefined)]).toEqual([path, 401])
    // Below the page host there is the own page alone: only the scoped address names the other one.
    const [here, scoped, , elsewhere] = paths.length === 4 ? paths : [paths[0]]
    for (const credential of credentials) {
      const foreignToken = setup.token(other, credential)
      const ownToken = setup.token(own, credential)
      for (const path of [here, scoped].filter(Boolean)) {
        expect([path, credential, await call(route, path, foreignToken)]).toEqual([path, credential, 404])
        if (reaches(credential)) continue
        expect([path, credential, await call(route, path, ownToken)]).toEqual([path, credential, 403])
      }
      if (elsewhere) expect([credential, await call(route, elsewhere, ownToken)]).toEqual([credential, 404])
    }
  })

  test.each(credentials.filter(reaches))('the route is open to $permission as $roleKey', async (credential) => {
    for (const door of pathsOf(route).keys()) {
      const status = await setup.callExisting(route, door, setup.token(setup.page(), credential))
      // A part of a record, such as its report, may never have been written, and a delete leaves nothing for the next call.
      const missing = route.method === 'DELETE' || /\}\/[a-z/-]+$/.test(route.path) ? [404] : []
      // A plan of a token that reaches further is refused: test/agent/plans.test.ts has the cases.
      const beyond = name.startsWith('agent.plans.') ? [403] : []
      expect([200, 201, 202, 400, 409, ...missing, ...beyond]).toContain(status)
    }
  })
}
