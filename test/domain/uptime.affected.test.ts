import { expect, test } from '@jest/globals'
import { idsByDay } from '../../src/domain/uptime/affected-rules.ts'

const bounds = [0, 24, 48, 60]
const parents = new Map([
  [2, 1],
  [3, 1],
])
const span = (id: number, item_id: number, from: number, to: number | null) => ({ id, item_id, from, to })
const of = (item: number, ...spans: Parameters<typeof span>[]) =>
  [0, 1, 2].map(
    (day) =>
      idsByDay(
        spans.map((one) => span(...one)),
        bounds,
        (id) => parents.get(id),
      ).get(item)?.[day] ?? [],
  )

test.each([
  ['within a day', [[7, 2, 1, 5]], [[7], [], []]],
  ['over midnight', [[7, 2, 20, 30]], [[7], [7], []]],
  ['until midnight', [[7, 2, 1, 24]], [[7], [], []]],
  ['from midnight', [[7, 2, 24, 25]], [[], [7], []]],
  ['without length', [[7, 2, 24, 24]], [[], [7], []]],
  ['since before the window', [[7, 2, -50, 3]], [[7], [], []]],
  ['still open', [[7, 2, 30, null]], [[], [7], [7]]],
  ['of another item', [[7, 3, 1, 5]], [[], [], []]],
  ['of the item above', [[7, 1, 1, 5]], [[], [], []]],
  [
    'twice, each id once',
    [
      [7, 2, 1, 3],
      [7, 2, 4, 30],
      [9, 2, 2, 3],
    ],
    [[7, 9], [7], []],
  ],
] as [string, Parameters<typeof span>[], number[][]][])('a span %s', (_name, spans, expected) =>
  expect(of(2, ...spans)).toEqual(expected),
)

test('a span reaches the items above once, however many items below it affects', () => {
  expect(of(1, [7, 2, 1, 5], [7, 3, 1, 30], [8, 3, 25, 26])).toEqual([[7], [7, 8], []])
})

test('a day has at most fifty ids', () => {
  const many = Array.from({ length: 60 }, (_, id) => [id, 2, 1, 2] as Parameters<typeof span>)
  expect(of(2, ...many)[0]).toHaveLength(50)
})
