import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../src/local/embedded/ports.ts'
import { type BenchService, inBenchService, POOL, type Say } from './support/bench-service.ts'
import type { Child } from './support/child.ts'
import type { Job, Load } from './support/client.ts'
import { databaseFacts } from './support/facts.ts'
import type { Figure, Report } from './support/report.ts'
import { TEMPORAL_VERSION } from './support/temporal-tools.ts'

const ROUNDS = 7
const ROUND_SECONDS = 3
const CONCURRENCY = 16
const BACKLOG = 2000
const LONGEST_DRAIN_MS = 120_000

/** How much of a bare server's rate is left when a creation is durable, idempotent, audited and isolated by page. */
export default function api(say: Say): Promise<Report> {
  return inBenchService(say, async (service) => ({
    how: [
      `Incidents are created over HTTP by ${CONCURRENCY} clients in one process, each with an \`external_id\` and an \`Idempotency-Key\`. The reference is a bare Node server that does one INSERT for each request through \`pg\` (${POOL} connections, like the API), on the same PostgreSQL. ${ROUNDS} rounds of ${ROUND_SECONDS} s each, in turn; medians count, and for the ratio the median of the ratios of the rounds.`,
      `The relay is paused by starting the API with a Temporal address that does not answer. Then API and worker start with a real one (server ${TEMPORAL_VERSION} on the same PostgreSQL), and ${BACKLOG} of the wake-ups drain.`,
    ],
    figures: [...(await creation(service, say)), ...(await drain(service, say))],
    facts: await databaseFacts(service.database),
  }))
}

async function creation(service: BenchService, say: Say): Promise<Figure[]> {
  const [unused] = await freePorts([undefined])
  const ours = await service.startApi({ TEMPORAL_ADDRESS: `127.0.0.1:${unused}` })
  const bare = await service.start(new URL('./support/bare-server.ts', import.meta.url))
  const client = await service.start(new URL('./support/client.ts', import.meta.url))
  const round = (server: Child) => load(client, server, service.token)
  say('Warming up')
  await round(bare)
  await round(ours)
  // As autovacuum would within the minute: plans for empty tables are no measure.
  await service.database.query('analyze')
  const rounds: { bare: Load; ours: Load }[] = []
  for (let turn = 1; turn <= ROUNDS; turn += 1) {
    rounds.push({ bare: await round(bare), ours: await round(ours) })
    const last = rounds.at(-1)!
    say(`Round ${turn} of ${ROUNDS}: ${last.ours.rate.toFixed(0)}/s against ${last.bare.rate.toFixed(0)}/s`)
  }
  for (const child of [client, bare, ours]) await child.stop()
  const ratio = median(rounds.map(({ bare, ours }) => ours.rate / bare.rate))
  return [
    { name: 'creation against the bare server', value: ratio, unit: '', target: { atLeast: 0.1 } },
    { name: 'creation', value: median(rounds.map(({ ours }) => ours.rate)), unit: '/s' },
    { name: 'bare server', value: median(rounds.map(({ bare }) => bare.rate)), unit: '/s' },
    { name: 'creation, p50', value: median(rounds.map(({ ours }) => ours.p50)), unit: 'ms' },
    { name: 'creation, p99', value: median(rounds.map(({ ours }) => ours.p99)), unit: 'ms' },
  ]
}

async function load(client: Child, { ready }: Child, token: string): Promise<Load> {
  const job: Job = {
    port: Number(ready.port),
    path: '/api/v1/admin/incidents',
    token,
    seconds: ROUND_SECONDS,
    concurrency: CONCURRENCY,
  }
  const result = await client.ask<Load>(job)
  if (result.failures.length > 0) throw new Error(`Some requests failed, so this measures nothing: ${result.failures}`)
  return result
}

async function drain(service: BenchService, say: Say): Promise<Figure[]> {
  const { address } = await service.startTemporal()
  const last = await keepBacklog(service)
  await service.startApi({ TEMPORAL_ADDRESS: address })
  await service.startWorker({ TEMPORAL_ADDRESS: address })
  // Not the wake-ups that the steps write, nor those that the sweep writes for what was deleted.
  const left = async () =>
    Number((await service.database.query('select count(*) from wakeup where id <= $1', [last])).rows[0].count)
  say(`${BACKLOG} wake-ups drain`)
  const started = performance.now()
  let remaining = BACKLOG
  while (remaining > 0 && performance.now() - started < LONGEST_DRAIN_MS) {
    await sleep(500)
    remaining = await left()
  }
  const seconds = (performance.now() - started) / 1000
  return [
    { name: 'wake-ups drained', value: (BACKLOG - remaining) / seconds, unit: '/s' },
    { name: 'backlog left', value: remaining, unit: `of ${BACKLOG}` },
  ]
}

/** The last of the same backlog in every run. All of it is due: without Temporal the relay postpones what it has tried. */
async function keepBacklog({ database }: BenchService): Promise<number> {
  await database.query('delete from wakeup where id not in (select id from wakeup order by id limit $1)', [BACKLOG])
  await database.query('update wakeup set next_send_at = now(), attempts = 0, sent_at = null')
  return Number((await database.query('select max(id) from wakeup')).rows[0].max)
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
