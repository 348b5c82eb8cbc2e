import { expect, test } from '@jest/globals'
import { crash, eachOnce } from './crash.ts'

/** `npm run faults` has every point of every turn. */
test.concurrent('a worker that dies before it commits a start has begun nothing', async () => {
  expect(await crash('entry written', 'start')).toEqual(eachOnce)
})

test.concurrent('a worker that dies before it says that it completed one has completed it', async () => {
  expect(await crash('step committed', 'completion')).toEqual(eachOnce)
})
