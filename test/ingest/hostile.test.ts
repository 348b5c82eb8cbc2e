import { expect, test } from '@jest/globals'
import { hostileTriggers } from '../support/hostile-triggers.ts'
import { evaluateHostile } from './hostile.ts'

test('hostile triggers are too expensive or evaluated, and the others go on', async () => {
  const every = hostileTriggers.filter((_, index) => index % 20 === 19)
  const { expensive } = await evaluateHostile(every, { cpuMs: 100, elapsedMs: 60_000 })
  expect(expensive).toBeGreaterThan(0)
})
