import { expect, test } from '@jest/globals'
import { hostileTriggers } from '../support/hostile-triggers.ts'
import { evaluateHostile } from './hostile.ts'

/** All of them take minutes: `HOSTILE=all npm run test:matrix -- hostile`. */
const chosen = process.env.HOSTILE === 'all' ? hostileTriggers : hostileTriggers.filter((_, index) => index % 4 === 0)

test('hostile triggers hold no event loop, and each event has an outcome by each of them', async () => {
  expect(hostileTriggers).toHaveLength(300)
  const { saved, expensive, holds } = await evaluateHostile(chosen, { cpuMs: 100, elapsedMs: 60_000 })
  const of = `${saved} of ${chosen.length} accepted, ${expensive} too expensive`
  console.log(`${of}; longest holds in ms: ${JSON.stringify(holds)}`)
  expect(expensive).toBeGreaterThan(10)
})
