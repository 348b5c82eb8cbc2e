import { describe, expect, test } from '@jest/globals'
import { routes } from '../../src/api/routes/index.ts'
import { testPermissions, titled } from './support/permission-cases.ts'
import { adminAreas, areasOfFiles, plainAreas, reach } from './support/permission-rules.ts'
import { scopedTo } from './support/records.ts'

const { addresses, call, allTokens, service, page, otherPage } = testPermissions(areasOfFiles.page)

test('every area has its routes tested in one of the permission files', () => {
  expect(Object.values(areasOfFiles).flat().toSorted()).toEqual([...plainAreas, ...adminAreas].toSorted())
  const areas = routes.filter(({ door }) => door === 'admin' || door === 'api').map(({ operation }) => operation.area)
  expect([...plainAreas, ...adminAreas]).toEqual(expect.arrayContaining(areas))
})

describe.each(titled(routes.filter((route) => route.door === 'public')))('%s', (_title, route) => {
  test('the route needs no token and accepts every token', async () => {
    // The code of the example is wrong.
    const expected = route.proves ? 401 : route.status
    for (const path of await addresses(route, page())) {
      expect(await call(route, path, undefined)).toBe(expected)
      for (const token of allTokens()) expect(await call(route, path, token)).toBe(expected)
      expect(await call(route, path, 'upb_wrong')).toBe(expected)
    }
  })
})

test('public reads do not show an incident of another page', async () => {
  const { body } = await scopedTo(service().otherAdmin, otherPage()).get('/incidents')
  const { status } = await service().as(undefined).get(`/incidents/${body.incidents[0].id}`)
  expect(status).toBe(404)
})

test('the list of roles holds the permissions of each role', async () => {
  const { roles } = (await service().admin.get('/admin/roles')).body
  for (const { role_key, grants } of roles) {
    const word = ['', 'read', 'write', 'admin']
    const areas = [...plainAreas, ...adminAreas].flatMap((area) => {
      const reached = word[reach({ permission: 'admin', roleKey: role_key }, area)]
      return reached ? [[area, reached]] : []
    })
    expect([role_key, grants]).toEqual([role_key, Object.fromEntries(areas)])
  }
})
