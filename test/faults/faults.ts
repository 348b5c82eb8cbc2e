import { crashEverywhere } from './crash-all.ts'
import { runFaults } from './run.ts'

/**
 * `npm run faults`: the long form. First a worker dies at every point of a step, then everything is killed at random;
 * `npm run faults -- points` and `-- random` are one of them. FAULT_SEED, FAULT_WRITES and FAULT_KILLS change the second.
 */
const { env } = process
const number = (name: string, fallback: number) => Number(env[name] || fallback)
const say = (text: string) => console.log(text)

const parts: Record<string, () => Promise<string[]>> = {
  points: () => crashEverywhere(say),
  random: killAtRandom,
}

async function killAtRandom(): Promise<string[]> {
  const report = await runFaults({
    seed: number('FAULT_SEED', Date.now() % 1_000_000),
    writes: number('FAULT_WRITES', 5000),
    kills: number('FAULT_KILLS', 100),
    writers: 8,
    pauseMs: 600,
    minuteMs: 1000,
    loseTemporal: true,
    say,
    opened: (bench) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.once(signal, () => void bench.close().finally(() => process.exit(130)))
      }
    },
  })
  const { problems, kills, ...figures } = report
  say('')
  for (const [name, value] of Object.entries({ ...figures, ...kills })) say(`${name.padEnd(22)} ${value}`)
  return problems
}

const wanted = process.argv.slice(2)
const problems: string[] = []
for (const name of wanted.length > 0 ? wanted : Object.keys(parts)) {
  const part = parts[name]
  problems.push(...(part ? await part() : [`there is no part "${name}", only ${Object.keys(parts).join(' and ')}`]))
}
for (const problem of problems.slice(0, 50)) say(`PROBLEM: ${problem}`)
say(problems.length === 0 ? 'Nothing lost, nothing twice.' : `${problems.length} problems.`)
process.exit(problems.length === 0 ? 0 : 1)
