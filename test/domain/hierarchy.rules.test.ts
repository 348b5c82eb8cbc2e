import { describe, expect, test } from '@jest/globals'
import { freeSlug, hierarchyPath, slugify, treeProblem, treeStatuses } from '../../src/domain/hierarchy/rules.ts'

test.each([
  ['Checkout', 'checkout'],
  ['Checkout & Pay', 'checkout-pay'],
  ['  --API v2--  ', 'api-v2'],
  ['Ünïcode Ñame', 'unicode-name'],
  ['ﬁle', 'file'],
  ['日本語', 'item'],
  ['🔥', 'item'],
  ['', 'item'],
  ['ß', 'item'],
  [`${'x'.repeat(89)} y`, 'x'.repeat(89)],
  ['y'.repeat(200), 'y'.repeat(90)],
])('the slug of %j is %j', (name, slug) => {
  expect(slugify(name)).toBe(slug)
  expect(slugify(name)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
})

test.each([
  [[], 'api'],
  [['api-2'], 'api'],
  [['api'], 'api-2'],
  [['api', 'api-2', 'api-4'], 'api-3'],
])('the free slug for %j is %s', (taken, free) => {
  expect(freeSlug('api', new Set(taken))).toBe(free)
})

const names: [number, number | null, string][] = [
  [1, null, 'Shop'],
  [2, 1, 'Checkout'],
  [3, 2, 'Payments'],
  [4, 99, 'Orphan'],
  [5, 6, 'Ring'],
  [6, 5, 'Rang'],
]
const byId = new Map(names.map(([id, parent_id, name]) => [id, { id, parent_id, name }]))

test.each([
  [1, 'Shop'],
  [3, 'Shop / Checkout / Payments'],
  [4, 'Orphan'],
  [5, 'Rang / Ring'],
  [7, ''],
])('the path of item %i is %j', (id, path) => {
  expect(hierarchyPath({ id }, byId)).toBe(path)
})

describe('the statuses of a tree', () => {
  const order = ['operational', 'degraded', 'major_outage']
  const worst = (list: string[]) => order[Math.max(0, ...list.map((status) => order.indexOf(status)))]!
  /** Item 1 holds 2 and 3; 2 holds 4; 5 stands alone. */
  const parents: Record<number, number | null> = { 1: null, 2: 1, 3: 1, 4: 2, 5: null }
  const statuses = (own: Record<number, string[]>, overrides: Record<number, string> = {}) => {
    const items = Object.entries(parents).map(([id, parent_id]) => ({
      id: Number(id),
      parent_id,
      override_status: overrides[Number(id)] ?? null,
    }))
    const result = treeStatuses(items, (item) => own[item.id] ?? [], worst)
    return [1, 2, 3, 4, 5].map((id) => order.indexOf(result.get(id)!))
  }

  test.each([
    ['all is well', {}, {}, [0, 0, 0, 0, 0]],
    ['one at the bottom holds all above it', { 4: ['degraded'] }, {}, [1, 1, 0, 1, 0]],
    ['the worst of several counts', { 4: ['degraded', 'major_outage'], 3: ['degraded'] }, {}, [2, 2, 1, 2, 0]],
    ['what is above does not come down', { 1: ['major_outage'] }, {}, [2, 0, 0, 0, 0]],
    ['what was set by hand replaces all below', { 4: ['major_outage'] }, { 2: 'operational' }, [0, 0, 0, 2, 0]],
    ['what was set by hand goes up', {}, { 4: 'degraded' }, [1, 1, 0, 1, 0]],
    ['one alone is alone', { 5: ['degraded'] }, {}, [0, 0, 0, 0, 1]],
  ])('%s', (_title, own, overrides, expected) => {
    expect(statuses(own, overrides)).toEqual(expected)
  })
})

test('a cycle in the tree is found without an endless loop', () => {
  const items = new Map([
    [1, { id: 1, parent_id: 2, depth: 2 }],
    [2, { id: 2, parent_id: 3, depth: 1 }],
    [3, { id: 3, parent_id: 2, depth: 2 }],
  ])
  expect(treeProblem(items, [1, 2, 3])).toBeDefined()
})
