import { runFaults } from './run.ts'

/** `npm run faults`: the long form. FAULT_SEED, FAULT_WRITES and FAULT_KILLS change it. */
const { env } = process
const number = (name: string, fallback: number) => Number(env[name] || fallback)

const report = await runFaults({
  seed: number('FAULT_SEED', Date.now() % 1_000_000),
  writes: number('FAULT_WRITES', 5000),
  kills: number('FAULT_KILLS', 100),
  writers: 8,
  pauseMs: 600,
  minuteMs: 1000,
  loseTemporal: true,
  say: (text) => console.log(text),
  opened: (bench) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => void bench.close().finally(() => process.exit(130)))
    }
  },
})

const { problems, kills, ...figures } = report
console.log('')
for (const [name, value] of Object.entries({ ...figures, ...kills })) console.log(`${name.padEnd(22)} ${value}`)
for (const problem of problems.slice(0, 50)) console.log(`PROBLEM: ${problem}`)
console.log(problems.length === 0 ? 'Nothing lost, nothing twice.' : `${problems.length} problems.`)
process.exit(problems.length === 0 ? 0 : 1)
