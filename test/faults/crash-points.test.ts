import { expect, test } from '@jest/globals'
import { crash, eachOnce } from './crash.ts'

/** `npm run test:matrix` has the other kills of one step, and `npm run faults` every point of every turn. */
test('a worker that is killed after it committed the completion of a maintenance has completed it once', async () => {
  expect(await crash('step committed', 'completion')).toEqual(eachOnce)
})
