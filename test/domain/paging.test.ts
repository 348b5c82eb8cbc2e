import { describe, expect, test } from '@jest/globals'
import { z } from 'zod'
import { Problem } from '../../src/domain/kernel/errors.ts'
import {
  cursorKeys,
  decodeCursor,
  encodeCursor,
  pageOf,
  withListName,
  withoutListName,
} from '../../src/domain/kernel/paging.ts'

const keys = z.tuple([cursorKeys.moment, cursorKeys.id])

test.each([[['2026-03-02T10:00:00.123Z', 17]], [['1970-01-01T00:00:00.000Z', 2_147_483_647]]])(
  '%j comes back',
  (row) => {
    const cursor = encodeCursor(row)
    expect(cursor).toMatch(/^[\w-]+$/)
    expect(decodeCursor(cursor, keys)).toEqual(row)
  },
)

test('without a cursor the list begins', () => {
  expect(decodeCursor(undefined, keys)).toBeUndefined()
})

test.each([
  '',
  'x',
  '%00',
  encodeCursor([]),
  encodeCursor([17]),
  encodeCursor(['2026-03-02T10:00:00.123Z', 17, 1]),
  encodeCursor(['2026-03-02T10:00:00.123Z', '17']),
  encodeCursor(['yesterday', 17]),
  encodeCursor(['0000-01-01T00:00:00.000Z', 17]),
  encodeCursor(['2026-03-02T10:00:00.123Z', 2_147_483_648]),
  encodeCursor(['2026-03-02T10:00:00.123Z', 0]),
])('%j is no cursor of this list', (cursor) => {
  expect(() => decodeCursor(cursor, keys)).toThrow(Problem)
})

test('a cursor comes back to the list that gave it, and no other list takes it', () => {
  const { next_cursor: cursor } = withListName('incidents.list', { next_cursor: encodeCursor([17]) })
  expect(withoutListName('incidents.list', { cursor, limit: 5 })).toEqual({ cursor: encodeCursor([17]), limit: 5 })
  expect(() => withoutListName('maintenances.list', { cursor })).toThrow(Problem)
  expect(() => withoutListName('incidents', { cursor })).toThrow(Problem)
  expect(() => withoutListName('incidents.list', { cursor: encodeCursor([17]) })).toThrow(Problem)
})

test.each([[{ limit: 5 }], [{}], [undefined]])('%j has no cursor and stays as it is', (value) => {
  expect(withoutListName('incidents.list', value)).toEqual(value)
  expect(withListName('incidents.list', value)).toEqual(value)
})

describe('a page', () => {
  const keyset = (row: number) => [row]

  test.each([
    [[], 3, [], undefined],
    [[1, 2, 3], 3, [1, 2, 3], undefined],
    [[1, 2, 3, 4], 3, [1, 2, 3], encodeCursor([3])],
  ])('of %j with the limit %i', (rows, limit, shown, next) => {
    expect(pageOf(rows, limit, keyset)).toEqual({ rows: shown, next_cursor: next })
  })
})
