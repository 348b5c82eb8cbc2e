import { expect, test } from '@jest/globals'
import { hostileTriggers } from '../support/hostile-triggers.ts'
import { evaluateHostile } from './hostile.ts'

test('300 hostile triggers hold no event loop, and each event has an outcome by each of them', async () => {
  expect(hostileTriggers).toHaveLength(300)
  const { saved, expensive, holds } = await evaluateHostile(hostileTriggers, { cpuMs: 100, elapsedMs: 60_000 })
  console.log(`${saved} of 300 accepted, ${expensive} too expensive; longest holds in ms: ${JSON.stringify(holds)}`)
  expect(expensive).toBeGreaterThan(50)
})
