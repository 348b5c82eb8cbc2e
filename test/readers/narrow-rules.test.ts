import { describe, expect, test } from '@jest/globals'
import { narrowed, narrowedAll, narrowedItems, withBelow } from '../../src/domain/readers/narrow-rules.ts'

const tree = [
  { id: 1, parent_id: null },
  { id: 2, parent_id: 1 },
  { id: 3, parent_id: 2 },
  { id: 4, parent_id: 1 },
  { id: 5, parent_id: null },
]

describe('the items of a scope', () => {
  test.each([
    [[], []],
    [[3], [3]],
    [[2], [2, 3]],
    [[1], [1, 2, 3, 4]],
    [
      [2, 5],
      [2, 3, 5],
    ],
    [
      [2, 3],
      [2, 3],
    ],
  ])('%j with what is below: %j', (ids, expected) => {
    expect([...withBelow(tree, ids)].sort()).toEqual(expected)
  })

  test('a parent outside the scope is left out', () => {
    expect(narrowedItems(tree, new Set([2, 3]))).toEqual([
      { id: 2, parent_id: undefined },
      { id: 3, parent_id: 2 },
    ])
    expect(narrowedItems(tree, null)).toBe(tree)
  })
})

describe('a record for readers of some items', () => {
  const record = {
    title: 'Down',
    affected_items_freetext: 'The office',
    affected_items: [
      { id: 1, name: 'Shop', hierarchy_path: 'Company > Shop' },
      { id: 4, name: 'Mail', hierarchy_path: 'Company > Mail' },
    ],
  }

  test('has no other items, no paths of items, and no freetext items', () => {
    expect(narrowed(record, new Set([4]))).toEqual({ title: 'Down', affected_items: [{ id: 4, name: 'Mail' }] })
  })

  test('is left out if it affects none of them', () => {
    expect(narrowedAll([record, { ...record, affected_items: [] }], new Set([3]))).toEqual([])
  })

  test('is whole for readers of the whole page', () => {
    expect(narrowedAll([record], null)).toEqual([record])
  })
})
