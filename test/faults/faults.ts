import { runAgent } from './agent.ts'
import type { Bench } from './bench.ts'
import { crashEverywhere } from './crash-all.ts'
import { runEvents } from './events.ts'
import { runNotifications } from './notifications.ts'
import { runOutage } from './outage.ts'
import { runReads } from './reads.ts'
import { runFaults } from './run.ts'

/**
 * `npm run faults`: the long form. First a worker dies at every point of a step, then everything is killed at random,
 * then the database is away for long, then events of another system arrive shuffled and twice; then messages for the agent and plans,
 * then notifications meet kills, last the page is read while the servers are away; `npm run faults -- points`, `-- random`,
 * `-- outage`, `-- events`, `-- agent`, `-- notifications` and `-- reads` are one of them.
 * FAULT_SEED, FAULT_WRITES and FAULT_KILLS change the second, FAULT_OUTAGE_SECONDS the third, FAULT_EVENTS the fourth,
 * FAULT_AWAY_SECONDS the last.
 */
const { env } = process
const number = (name: string, fallback: number) => Number(env[name] || fallback)
const say = (text: string) => console.log(text)

const parts: Record<string, () => Promise<string[]>> = {
  points: () => crashEverywhere(say),
  random: killAtRandom,
  outage: loseDatabase,
  events: storm,
  agent: askWhileKilling,
  notifications: notifyWhileKilling,
  reads: readWhileAway,
}

let interrupted = () => {}

/** An interruption stops the servers that are open by then, too. */
function opened(bench: Bench): void {
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.off(signal, interrupted)
  interrupted = () => void bench.close().finally(() => process.exit(130))
  for (const signal of signals) process.once(signal, interrupted)
}

function print(figures: Record<string, number | string>): void {
  say('')
  for (const [name, value] of Object.entries(figures)) say(`${name.padEnd(22)} ${value}`)
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
    ...{ say, opened },
  })
  const { problems, kills, ...figures } = report
  print({ ...figures, ...kills })
  return problems
}

async function loseDatabase(): Promise<string[]> {
  const { problems, figures } = await runOutage({ seconds: number('FAULT_OUTAGE_SECONDS', 100), say, opened })
  print(figures)
  return problems
}

async function storm(): Promise<string[]> {
  const seed = number('FAULT_SEED', Date.now() % 1_000_000)
  const kills = number('FAULT_KILLS', 20)
  const { problems, figures } = await runEvents({ seed, events: number('FAULT_EVENTS', 10_000), kills, say, opened })
  print(figures)
  return problems
}

async function askWhileKilling(): Promise<string[]> {
  const seed = number('FAULT_SEED', Date.now() % 1_000_000)
  const kills = number('FAULT_KILLS', 20)
  const { problems, figures } = await runAgent({ ...{ seed, messages: 500, plans: 200, kills }, say, opened })
  print(figures)
  return problems
}

async function notifyWhileKilling(): Promise<string[]> {
  const seed = number('FAULT_SEED', Date.now() % 1_000_000)
  const kills = number('FAULT_KILLS', 12)
  const { problems, figures } = await runNotifications({ seed, events: 200, subscribers: 20, kills, say, opened })
  print(figures)
  return problems
}

async function readWhileAway(): Promise<string[]> {
  const { problems, figures } = await runReads({ seconds: number('FAULT_AWAY_SECONDS', 60), readers: 8, say, opened })
  print(figures)
  return problems
}

const wanted = process.argv.slice(2)
const problems: string[] = []
for (const name of wanted.length > 0 ? wanted : Object.keys(parts)) {
  const part = parts[name]
  problems.push(...(part ? await part() : [`there is no part "${name}", only ${Object.keys(parts).join(', ')}`]))
}
for (const problem of problems.slice(0, 50)) say(`PROBLEM: ${problem}`)
say(problems.length === 0 ? 'Nothing lost, nothing twice.' : `${problems.length} problems.`)
process.exit(problems.length === 0 ? 0 : 1)
