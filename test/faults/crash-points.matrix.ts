import { expect, test } from '@jest/globals'
import { crash, eachOnce } from './crash.ts'

/** `npm run faults` has every point of every turn. */
test('a worker that is killed before it commits the start of a maintenance has started nothing', async () => {
  expect(await crash('entry written', 'start')).toEqual(eachOnce)
})
