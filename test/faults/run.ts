import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { foundOrganization, foundPage, issueToken } from '../../src/domain/pages/found.ts'
import { SYSTEM_ROLE } from '../../src/persistence/entities/columns.ts'
import { migrate } from '../../src/persistence/migrate.ts'
import { openOrm } from '../../src/persistence/orm.ts'
import { callerOf } from '../support/caller.ts'
import { type Bench, openBench, parts } from './bench.ts'
import { type Client, createClient } from './client.ts'
import { readEvents, readIncidents, readRows, runningWorkflows, untilQuiet } from './facts.ts'
import { type Judgement, judge } from './judge.ts'
import { type Random, randomFrom } from './random.ts'

export interface FaultOptions {
  seed: number
  writes: number
  kills: number
  writers: number
  pauseMs: number
  minuteMs: number
  /** Whether Temporal's data is deleted once on the way. */
  loseTemporal: boolean
  say: (text: string) => void
}

export interface FaultReport extends Judgement {
  seed: number
  acknowledged: number
  incidents: number
  unanswered: number
  surprises: number
  kills: Record<string, number>
  writingSeconds: number
  quietSeconds: number
}

const QUIET_PATIENCE_MS = 120_000
/** What is due in the last moments may still be on its way. */
const TOLERANCE_MS = 4000

/** The scenario: write, kill meanwhile, let it come to rest, and hold the books against each other. */
export async function runFaults(options: FaultOptions): Promise<FaultReport> {
  const { seed, minuteMs, say } = options
  const random = randomFrom(seed)
  const bench = await openBench({ minuteMs, say })
  let failed = true
  try {
    const token = await makePage(bench.databaseUrl)
    const client = createClient({ ...options, url: bench.url, token, random })
    const began = Date.now()
    const [, kills] = await Promise.all([client.run(), wreck(bench, client, randomFrom(seed + 1), options)])
    const written = Date.now()
    const unrest = await untilQuiet(bench.databaseUrl, QUIET_PATIENCE_MS)
    const quiet = Date.now()
    const caller = callerOf(bench.url, token)
    const judgement = judge({
      known: client.known,
      // In this order: nothing that is shown can be newer than what is read after it.
      horizon: quiet - TOLERANCE_MS,
      incidents: await readIncidents(caller),
      events: await readEvents(caller),
      rows: await readRows(bench.databaseUrl),
      running: await runningWorkflows(bench.temporalAddress, 'upbeat'),
      minuteMs,
    })
    const problems = [...client.problems, ...(unrest ? [unrest] : []), ...judgement.problems]
    failed = problems.length > 0
    if (failed) say(`what the service wrote is in ${bench.dir}`)
    return {
      ...judgement,
      problems,
      seed,
      kills,
      acknowledged: client.acknowledged(),
      incidents: client.known.size,
      unanswered: client.unanswered(),
      surprises: client.surprises(),
      writingSeconds: seconds(written - began),
      quietSeconds: seconds(quiet - written),
    }
  } finally {
    await bench.close()
    if (!failed) rmSync(bench.dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

const seconds = (ms: number) => Math.round(ms / 100) / 10

/** Kills spread over the writes; some come in pairs, and some strike what is only just coming back. */
async function wreck(bench: Bench, client: Client, random: Random, options: FaultOptions) {
  const { kills, writes, loseTemporal, say } = options
  const count: Record<string, number> = {}
  const lossAt = loseTemporal ? Math.floor(kills / 2) : -1
  const back: Promise<void>[] = []
  for (let kill = 0; kill < kills; kill += 1) {
    while (client.acknowledged() < ((kill + 0.5) * writes) / kills) {
      if (client.problems.length > 20) return count
      await sleep(20)
    }
    await sleep(random.between(0, 500))
    const [one, other] = shuffled(random)
    const pause = random.between(0, 2000)
    const lost = kill === lossAt
    const part = lost ? 'temporal' : one
    count[lost ? 'temporal and its data' : part] = (count[lost ? 'temporal and its data' : part] ?? 0) + 1
    back.push(lost ? bench.loseTemporal(pause) : bench.kill(part, pause))
    say(`${client.acknowledged()} writes: kill -9 of ${part}${lost ? ', and its data is deleted' : ''}`)
    if (!lost && kill + 1 < kills && random.chance(0.25)) {
      kill += 1
      await sleep(random.chance(0.5) ? 0 : random.between(0, 1500))
      count[other] = (count[other] ?? 0) + 1
      back.push(bench.kill(other, random.between(0, 2000)))
      say(`${client.acknowledged()} writes: kill -9 of ${other} with it`)
    }
  }
  await Promise.all(back)
  return count
}

function shuffled(random: Random) {
  const one = random.pick(parts)
  return [one, random.pick(parts.filter((part) => part !== one))] as const
}

async function makePage(url: string): Promise<string> {
  await migrate(url)
  const system = await openOrm({ url, role: SYSTEM_ROLE, poolMax: 1 })
  try {
    const now = new Date()
    const { id: organizationId } = await foundOrganization(system, 'Faults', now)
    const page = await foundPage(system, { organizationId, name: 'Faults', now })
    const token = { name: 'client', permission: 'admin', roleKey: 'page_admin' } as const
    return await issueToken(system, { ...token, pageId: page.id, now })
  } finally {
    await system.close(true)
  }
}
