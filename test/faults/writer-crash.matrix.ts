import { expect, test } from '@jest/globals'
import { openedOnce, writerCrash } from './writer-crash.ts'

/** `npm run faults` has every point. */
test.concurrent('an API that dies after its commit and before the step has woken the process', async () => {
  expect(await writerCrash('facts committed')).toEqual(openedOnce)
})

test.concurrent('an API that dies within a step leaves the whole step to a worker', async () => {
  expect(await writerCrash('entry written')).toEqual(openedOnce)
})

test.concurrent('an API that dies after a step has taken the step once', async () => {
  expect(await writerCrash('step committed')).toEqual(openedOnce)
})
