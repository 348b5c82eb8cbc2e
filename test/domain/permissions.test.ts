import { describe, expect, test } from '@jest/globals'
import { type Area, type Level, levels, mayDo, roleKeys } from '../../src/domain/kernel/permissions.ts'

/** What each credential reaches, first in a plain area and then in one of the admin areas. */
const reach: [Level, string, Level | 'nothing', Level | 'nothing'][] = [
  ['read', 'page_viewer', 'read', 'read'],
  ['read', 'page_manager', 'read', 'read'],
  ['read', 'page_admin', 'read', 'read'],
  ['write', 'page_viewer', 'read', 'read'],
  ['write', 'page_manager', 'write', 'read'],
  ['write', 'page_admin', 'write', 'write'],
  ['admin', 'page_viewer', 'read', 'read'],
  ['admin', 'page_manager', 'write', 'read'],
  ['admin', 'page_admin', 'admin', 'admin'],
  ['admin', 'unheard_of', 'nothing', 'nothing'],
  ['admin', 'constructor', 'nothing', 'nothing'],
  ['admin', '__proto__', 'nothing', 'nothing'],
  ['superuser' as Level, 'page_admin', 'nothing', 'nothing'],
]
const plain: Area[] = ['incidents', 'maintenance', 'hierarchy', 'vocabulary', 'beats', 'triggers', 'reviews']
const special: Area[] = ['settings', 'tokens', 'endpoints', 'roles', 'domains', 'audience', 'iac', 'audit']

describe.each(reach)('%s as %s', (permission, role_key, inPlain, inSpecial) => {
  test.each([...plain.map((area) => [area, inPlain] as const), ...special.map((area) => [area, inSpecial] as const)])(
    'reaches in %s as far as %s',
    (area, furthest) => {
      const allowed = levels.filter((level) => mayDo({ permission, role_key }, area, level))
      expect(allowed).toEqual(levels.slice(0, levels.indexOf(furthest as Level) + 1))
    },
  )
})

test('the built-in roles are the three of the contract', () => {
  expect(roleKeys).toEqual(['page_viewer', 'page_manager', 'page_admin'])
})
