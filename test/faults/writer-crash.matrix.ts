import { expect, test } from '@jest/globals'
import { openedOnce, writerCrash } from './writer-crash.ts'

/** `npm run faults` has every point. */
test.concurrent('an API that is killed between its commit and the step leaves the step to a worker', async () => {
  expect(await writerCrash('facts committed')).toEqual(openedOnce)
})

test.concurrent('an API that is killed within a step leaves the whole step to a worker', async () => {
  expect(await writerCrash('entry written')).toEqual(openedOnce)
})

test.concurrent('an API that is killed after a step has taken the step once', async () => {
  expect(await writerCrash('step committed')).toEqual(openedOnce)
})
