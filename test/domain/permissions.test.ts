import { describe, expect, test } from '@jest/globals'
import {
  type Area,
  grantsOf,
  type Level,
  levels,
  mayDo,
  reachesAsFar,
  reachOfToken,
  roleKeys,
} from '../../src/domain/kernel/permissions.ts'

/** What each credential reaches: in a daily area, in an area that viewers read, and in an area of administrators. */
const reach: [Level, string, ...(Level | 'nothing')[]][] = [
  ['read', 'page_viewer', 'read', 'read', 'nothing'],
  ['read', 'page_manager', 'read', 'read', 'nothing'],
  ['read', 'page_admin', 'read', 'read', 'read'],
  ['write', 'page_viewer', 'read', 'read', 'nothing'],
  ['write', 'page_manager', 'write', 'read', 'nothing'],
  ['write', 'page_admin', 'write', 'write', 'write'],
  ['admin', 'page_viewer', 'read', 'read', 'nothing'],
  ['admin', 'page_manager', 'write', 'read', 'nothing'],
  ['admin', 'page_admin', 'admin', 'admin', 'admin'],
  ['admin', 'unheard_of', 'nothing', 'nothing', 'nothing'],
  ['admin', 'constructor', 'nothing', 'nothing', 'nothing'],
  ['admin', '__proto__', 'nothing', 'nothing', 'nothing'],
  ['superuser' as Level, 'page_admin', 'nothing', 'nothing', 'nothing'],
]
const daily: Area[] = ['incidents', 'maintenance', 'hierarchy', 'vocabulary', 'beats', 'reviews', 'triggers', 'agent']
const readable: Area[] = ['settings', 'audit', 'audience']
const forAdmins: Area[] = ['tokens', 'roles', 'endpoints']

describe.each(reach)('%s as %s', (permission, role_key, ...furthest) => {
  const cases = [daily, readable, forAdmins].flatMap((areas, index) => areas.map((area) => [area, furthest[index]!]))
  test.each(cases)('reaches in %s as far as %s', (area, level) => {
    const allowed = levels.filter((one) => mayDo({ permission, role_key }, area as Area, one))
    expect(allowed).toEqual(levels.slice(0, levels.indexOf(level as Level) + 1))
  })
})

test('the grants of a role are its reach, without the areas that it does not reach', () => {
  for (const role of roleKeys) {
    const grants = [...daily, ...readable, ...forAdmins].flatMap((area) => {
      const reached = levels.findLast((level) => mayDo({ permission: 'admin', role_key: role }, area, level))
      return reached ? [[area, reached]] : []
    })
    expect([role, grantsOf(role)]).toEqual([role, Object.fromEntries(grants)])
  }
})

test('the built-in roles are the three of the contract', () => {
  expect(roleKeys).toEqual(['page_viewer', 'page_manager', 'page_admin'])
})

test('a token reaches as far as another one if it has each of its levels', () => {
  const viewer = { permission: 'read', role_key: 'page_viewer' } as const
  const writer = { permission: 'write', role_key: 'page_manager' } as const
  const admin = { permission: 'admin', role_key: 'page_admin' } as const
  const reading = { permission: 'read', role_key: 'page_admin' } as const
  const far = (
    one: typeof viewer | typeof writer | typeof admin | typeof reading,
    other: typeof viewer | typeof admin | typeof reading,
  ) => reachesAsFar(one, reachOfToken(other))
  expect([far(viewer, viewer), far(writer, viewer), far(admin, viewer), far(admin, reading)]).toEqual([
    true,
    true,
    true,
    true,
  ])
  // A reading token of an administrator reads more areas than a manager.
  expect([far(viewer, admin), far(writer, admin), far(writer, reading), far(viewer, reading)]).toEqual([
    false,
    false,
    false,
    false,
  ])
})
