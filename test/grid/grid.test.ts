import { expect, jest, test } from '@jest/globals'
import { measureGrid } from './measure.ts'

jest.setTimeout(180_000)

test('checks that take up to four fifths of their interval keep to the grid', async () => {
  const figures = await measureGrid(30)
  console.info(JSON.stringify(figures))
  // A machine that is busy makes some checks late; a loop that waits for its checks would be off by hundreds.
  expect(figures.worstMedianSlopeMs).toBeLessThan(25)
})
