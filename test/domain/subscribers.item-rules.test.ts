import { expect, test } from '@jest/globals'
import { inTreeOrder } from '../../src/domain/subscribers/public/item-rules.ts'

const item = (id: number, parent_id: number | null) => ({ id, parent_id })

test.each([
  ['no items', [], []],
  ['levels', [item(1, null), item(2, null), item(3, 2), item(4, 1), item(5, 4)], [1, 4, 5, 2, 3]],
  ['an item whose parent is archived', [item(1, null), item(3, 9)], [1, 3]],
])('%s in the order of the tree', (_name, items, ids) => {
  expect(inTreeOrder(items).map(({ id }) => id)).toEqual(ids)
})
