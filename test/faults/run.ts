import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { createOrganization, createPage, issueToken } from '../../src/domain/pages/provision.ts'
import { SYSTEM_ROLE } from '../../src/persistence/entities/columns.ts'
import { migrate } from '../../src/persistence/migrate.ts'
import { openOrm } from '../../src/persistence/orm.ts'
import { callerOf } from '../support/caller.ts'
import { type Bench, openBench, type Part, parts } from './bench.ts'
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
  /** For an early stop: the servers would outlive the process. */
  opened?: (bench: Bench) => void
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

/** The scenario: write, kill meanwhile, let it come to rest, and hold the books against each other. */
export async function runFaults(options: FaultOptions): Promise<FaultReport> {
  const { seed, minuteMs, say } = options
  const random = randomFrom(seed)
  const bench = await openBench({ minuteMs, say })
  options.opened?.(bench)
  let failed = true
  try {
    const token = await makePage(bench.databaseUrl)
    const client = createClient({ ...options, url: bench.url, token, random })
    const began = Date.now()
    const [, kills] = await Promise.all([client.run(), wreck(bench, client, randomFrom(seed + 1), options)])
    const written = Date.now()
    const { horizon, left } = await untilQuiet(bench.databaseUrl)
    const quiet = Date.now()
    const caller = callerOf(bench.url, token)
    const incidents = await readIncidents(caller)
    const open = incidents.filter((incident) => incident.resolved_at === null)
    const judgement = judge({
      known: client.known,
      // In this order: nothing that is shown can be newer than what is read after it.
      horizon,
      incidents,
      events: await readEvents(caller),
      rows: await readRows(bench.databaseUrl),
      running: await runningWorkflows(
        bench.temporalAddress,
        new Set(
          open.flatMap(({ id, reminder_interval_minutes }) => (reminder_interval_minutes ? [`incident:${id}`] : [])),
        ),
      ),
      minuteMs,
    })
    const problems = [...client.problems, ...(left ? [left] : []), ...judgement.problems]
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

/** Kills spread over the writes; some strike several at once, and some what is only just coming back. */
async function wreck(bench: Bench, client: Client, random: Random, options: FaultOptions) {
  const { kills, writes, loseTemporal, say } = options
  const count: Record<string, number> = {}
  const back: Promise<void>[] = []
  let done = 0
  let lost = !loseTemporal

  function strike(part: Part): void {
    done += 1
    // Its data goes once, with the first kill that it suffers in the second half.
    const losing = part === 'temporal' && !lost && done > kills / 2
    const name = losing ? 'temporal and its data' : part
    lost ||= losing
    count[name] = (count[name] ?? 0) + 1
    const pause = random.between(0, 2000)
    back.push(losing ? bench.loseTemporal(pause) : bench.kill(part, pause))
    say(`${client.acknowledged()} writes, kill ${done}: ${name}`)
  }

  while (done < kills && client.problems.length < 20) {
    if (client.acknowledged() < ((done + 0.5) * writes) / kills) {
      await sleep(20)
      continue
    }
    await sleep(random.between(0, 500))
    for (const part of victims(random, kills - done, !lost && kills - done <= parts.length)) {
      strike(part)
      if (random.chance(0.3)) await sleep(random.between(0, 1500))
    }
  }
  await Promise.all(back)
  return count
}

/** Mostly one of them, now and then two, seldom all. */
function victims(random: Random, atMost: number, temporalFirst: boolean): Part[] {
  const shuffled = [...parts].sort(() => random.next() - 0.5)
  if (temporalFirst) shuffled.sort((one, other) => Number(other === 'temporal') - Number(one === 'temporal'))
  const dice = random.next()
  return shuffled.slice(0, Math.min(atMost, dice < 0.7 ? 1 : dice < 0.92 ? 2 : parts.length))
}

export async function makePage(url: string): Promise<string> {
  await migrate(url)
  const system = await openOrm({ url, role: SYSTEM_ROLE, poolMax: 1 })
  try {
    const now = new Date()
    const { id: organizationId } = await createOrganization(system, 'Faults', now)
    const page = await createPage(system, { organizationId, name: 'Faults', now })
    const token = { name: 'client', permission: 'admin', roleKey: 'page_admin' } as const
    return await issueToken(system, { ...token, pageId: page.id, now })
  } finally {
    await system.close(true)
  }
}
