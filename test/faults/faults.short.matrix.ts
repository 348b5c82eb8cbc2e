import { expect, test } from '@jest/globals'
import { runFaults } from './run.ts'

test('no acknowledged write and no due reminder is lost or doubled while everything is killed at random', async () => {
  const seed = Number(process.env.FAULT_SEED || Date.now() % 1_000_000)
  const lines: string[] = [`seed ${seed}`]
  const report = await runFaults({
    seed,
    ...{ writes: 200, kills: 8, writers: 4, pauseMs: 600, minuteMs: 1000, loseTemporal: true },
    say: (text) => void lines.push(text),
  })
  if (report.problems.length > 0) process.stderr.write(`${lines.join('\n')}\n`)
  expect(report).toMatchObject({ seed, acknowledged: 200, problems: [] })
  expect(report.covered).toBeGreaterThan(50)
})
