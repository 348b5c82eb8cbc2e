import { expect, test } from '@jest/globals'
import { allReached, sendCrash } from './send-crash.ts'

/** `npm run faults` has every point and 10,000 recipients. */
test('workers that are killed while they plan, send and store leave no recipient without an end', async () => {
  const points = ['facts written', 'deliveries sent', 'outcomes saved'] as const
  expect(await sendCrash(points, 1000)).toEqual(allReached(1000, points.length))
})
