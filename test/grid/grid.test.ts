import { expect, test } from '@jest/globals'
import { dueOf } from '../../activities/lease/grid-rules.ts'
import { storedResults } from '../support/shards.ts'
import { until } from '../support/wait.ts'
import { openGrid } from './measure.ts'

/** How late a check begins, and whether the distance of two checks drifts, is measured by `npm run grid`. */
test('checks that take up to four fifths of their interval take one slot of the grid after the other', async () => {
  const { processes, target, beats, close } = await openGrid(1)
  try {
    const results = () => storedResults(processes.service.services)
    const slotsOf = (rows: Awaited<ReturnType<typeof results>>, id: number) =>
      rows.filter(({ beat_id }) => beat_id === id).map(({ slot }) => slot)
    // A loop that waited for a check of such a length, and then for its interval, would never take three in a row.
    await until(results, (rows) => beats.every(({ id }) => hasThreeInARow(slotsOf(rows, id))))
    await processes.stopWorker()
    const rows = await results()
    for (const { id, grid, path } of beats) {
      const own = rows.filter(({ beat_id }) => beat_id === id)
      for (const { slot, due_at, at } of own) {
        expect(due_at).toBe(dueOf(grid, slot))
        expect(at).toBeGreaterThanOrEqual(due_at)
      }
      // Each check that began has its result, and no slot was checked twice.
      expect(target.asked.filter((one) => one.path === path)).toHaveLength(own.length)
    }
  } finally {
    await close()
  }
})

const hasThreeInARow = (slots: number[]) => slots.some((slot, index) => slots[index + 2] === slot + 2)
