import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../src/local/embedded/ports.ts'
import { keptBetween, seedBeats } from './support/beats.ts'
import { type BenchService, inBenchService, POOL, type Say } from './support/bench-service.ts'
import type { Child } from './support/child.ts'
import type { Job, Load } from './support/client.ts'
import { databaseFacts } from './support/facts.ts'
import type { Figure, Report } from './support/report.ts'

const ROUNDS = 5
const ROUND_SECONDS = 3
const CLIENTS = 64
const LAG = { perSecond: 50, seconds: 20 }
const BACKLOG = { events: 20_000, triggers: 10, longestMs: 120_000 }
const BEATS = 30

/** How much of a bare server's rate is left when an event is checked, stored and woken for, and how soon a stage follows. */
export default function ingest(say: Say): Promise<Report> {
  return inBenchService(
    say,
    async (service) => ({
      how: [
        `${CLIENTS} clients in one process send events of 300 bytes to one endpoint with 100 enabled triggers. The reference is a bare Node server that parses the body and does one INSERT for each request through \`pg\` (${POOL} connections, like the API), on the same PostgreSQL. ${ROUNDS} rounds of ${ROUND_SECONDS} s each, in turn; medians count, and for the ratio the median of the ratios of the rounds. The API evaluates meanwhile.`,
        `Then ${LAG.perSecond} events a second for ${LAG.seconds} s change the stage of one beat: the time from the arrival of an event to the commit of the transition. At last a backlog of ${BACKLOG.events} events with ${BACKLOG.triggers} triggers is worked off by a worker, while ${BEATS} beats of 1 s are checked.`,
      ],
      figures: [...(await acceptance(service, say)), ...(await lag(service, say)), ...(await backlog(service, say))],
      facts: await databaseFacts(service.database),
    }),
    { track_commit_timestamp: 'on' },
  )
}

const event = {
  status: 'firing',
  alert: 'HighLatency',
  labels: { service: 'shop', severity: 'critical', instance: 'shop-1:9090' },
  annotations: { summary: 'The shop answers slowly', description: 'p99 is 4.2 s, and the limit is 1 s' },
  startsAt: '2026-11-22T09:58:03.157Z',
}

interface Endpoint {
  id: number
  token: string
}

/** An endpoint with so many triggers, of which the first sets the stage of a beat. */
async function makeEndpoint(api: Child, token: string, triggers: number): Promise<Endpoint> {
  const post = async (path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${api.ready.port}/api/v1/admin${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as { id: number; ingest_token: string }
    if (!response.ok) throw new Error(JSON.stringify(answer))
    return answer
  }
  const { id, ingest_token } = await post('/external-event-endpoints', { name: 'Alerts' })
  const beat = await post('/beats', { name: 'Orders', type: 'external_event', target: { kind: 'external_event' } })
  for (let n = 0; n < triggers; n += 1) {
    await post('/external-triggers', {
      ...{ name: `Rule ${n}`, source_id: id, confirm_no_evidence: true },
      conditions: {
        all: [
          { path: '$.labels.service', operator: 'equals', value: n === 0 ? 'shop' : `service-${n}` },
          { path: '$.alert', operator: 'regex', value: '^High' },
        ],
      },
      stage_mapping: { state_path: '$.status', values: { firing: 'critical', resolved: 'healthy' } },
      output_mapping: { fingerprint_path: '$.alert', summary_path: '$.annotations.summary' },
      associations: n === 0 ? [{ monitor_id: beat.id }] : [],
    })
  }
  return { id, token: ingest_token }
}

async function acceptance(service: BenchService, say: Say): Promise<Figure[]> {
  // Endpoints are made by admins.
  await service.database.query("update api_token set permission = 'admin', role_key = 'page_admin'")
  const [unused] = await freePorts([undefined])
  const ours = await service.startApi({ TEMPORAL_ADDRESS: `127.0.0.1:${unused}` })
  const bare = await service.start(new URL('./support/bare-events.ts', import.meta.url))
  const client = await service.start(new URL('./support/client.ts', import.meta.url))
  const { token } = await makeEndpoint(ours, service.token, 100)
  const round = async ({ ready }: Child) => {
    const common = { path: '/api/v1/external-events/ingest', seconds: ROUND_SECONDS, concurrency: CLIENTS, event }
    const job: Job = { ...common, port: Number(ready.port), token }
    const load = await client.ask<Load>(job)
    if (load.failures.length > 0) throw new Error(`Some requests failed, so this measures nothing: ${load.failures}`)
    return load
  }
  const evaluated = async () =>
    Number((await service.database.query("select count(*) from ingest_event where state = 'evaluated'")).rows[0].count)
  say('Warming up')
  await round(bare)
  await round(ours)
  await service.database.query('analyze')
  const [before, started] = [await evaluated(), performance.now()]
  const rounds: { bare: Load; ours: Load }[] = []
  for (let turn = 1; turn <= ROUNDS; turn += 1) {
    rounds.push({ bare: await round(bare), ours: await round(ours) })
    const last = rounds.at(-1)!
    say(`Round ${turn} of ${ROUNDS}: ${last.ours.rate.toFixed(0)}/s against ${last.bare.rate.toFixed(0)}/s`)
  }
  const rate = ((await evaluated()) - before) / ((performance.now() - started) / 1000)
  for (const child of [client, bare, ours]) await child.stop()
  const ratio = median(rounds.map((one) => one.ours.rate / one.bare.rate))
  return [
    { name: 'accepted events against the bare server', value: ratio, unit: '', target: { atLeast: 0.8 } },
    { name: 'accepted events', value: median(rounds.map((one) => one.ours.rate)), unit: '/s' },
    { name: 'bare server', value: median(rounds.map((one) => one.bare.rate)), unit: '/s' },
    { name: 'acceptance, p99', value: median(rounds.map((one) => one.ours.p99)), unit: 'ms' },
    { name: 'evaluated meanwhile, with 100 triggers', value: rate, unit: '/s' },
  ]
}

async function lag(service: BenchService, say: Say): Promise<Figure[]> {
  const { database } = service
  await database.query("delete from wakeup where workflow_id like 'inbox:%'")
  await database.query('truncate ingest_event cascade')
  await database.query('update event_trigger set enabled = false')
  const { address } = await service.startTemporal()
  const api = await service.startApi({ TEMPORAL_ADDRESS: address })
  await service.startWorker({ TEMPORAL_ADDRESS: address })
  const { token } = await makeEndpoint(api, service.token, 10)
  say(`${LAG.perSecond} events a second change the stage of a beat`)
  const send = async (status: string) => {
    const response = await fetch(`http://127.0.0.1:${api.ready.port}/api/v1/external-events/ingest`, {
      method: 'POST',
      headers: { 'X-External-Event-Token': token, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...event, status }),
    })
    if (response.status !== 202) throw new Error(await response.text())
  }
  const sent: Promise<void>[] = []
  for (let n = 0; n < LAG.perSecond * LAG.seconds; n += 1) {
    sent.push(send(n % 2 === 0 ? 'firing' : 'resolved'))
    await sleep(1000 / LAG.perSecond)
  }
  await Promise.all(sent)
  await sleep(3000)
  const { rows } = await database.query<{ count: number; p50: number; p99: number }>(
    `select count(*)::int as count, percentile_disc(0.5) within group (order by ms)::float8 as p50,
        percentile_disc(0.99) within group (order by ms)::float8 as p99
      from (select extract(epoch from pg_xact_commit_timestamp(t.xmin) - e.received_at) * 1000 as ms
        from beat_transition t join ingest_event e on e.id = (t.facts -> 'source' ->> 'inbox_event_id')::bigint) lags`,
  )
  await api.stop()
  const { count, p50, p99 } = rows[0]!
  return [
    { name: 'from an event to the stage, p50', value: p50, unit: 'ms', target: { under: 50 } },
    { name: 'from an event to the stage, p99', value: p99, unit: 'ms', target: { under: 250 } },
    { name: 'transitions', value: count, unit: `of ${sent.length}` },
  ]
}

/** Continues with the Temporal and the worker of `lag`; no API takes a step meanwhile. */
async function backlog(service: BenchService, say: Say): Promise<Figure[]> {
  const { database } = service
  const target = await service.start(new URL('./support/check-target.ts', import.meta.url))
  await seedBeats(database, BEATS, `http://127.0.0.1:${target.ready.port}`, 1)
  await sleep(10_000)
  say(`${BACKLOG.events} events wait`)
  await database.query('truncate ingest_event cascade')
  await database.query(
    `insert into ingest_event (page_id, endpoint_id, received_at, body, headers, size, state)
      select page_id, max(id), now(), $1, '{}', $2, 'pending' from ingest_endpoint, generate_series(1, $3) n group by page_id, n`,
    [JSON.stringify(event), JSON.stringify(event).length, BACKLOG.events],
  )
  const from = new Date()
  await database.query(
    `insert into wakeup (page_id, workflow_id, reason, created_at, attempts, next_send_at)
      select page_id, 'inbox:' || max(id), '', now(), 0, now() from ingest_endpoint group by page_id`,
  )
  const started = performance.now()
  const left = async () =>
    Number((await database.query("select count(*) from ingest_event where state = 'pending'")).rows[0].count)
  let pending = BACKLOG.events
  while (pending > 0 && performance.now() - started < BACKLOG.longestMs) {
    await sleep(500)
    pending = await left()
  }
  const seconds = (performance.now() - started) / 1000
  const to = new Date()
  await sleep(3000)
  const slots = (BEATS * (to.getTime() - from.getTime())) / 1000
  const { share } = await keptBetween(database, from, to, slots)
  return [
    {
      name: `backlog with ${BACKLOG.triggers} triggers`,
      value: (BACKLOG.events - pending) / seconds,
      unit: '/s',
      target: { atLeast: 500 },
    },
    { name: 'backlog: slots of beats kept', value: share * 100, unit: '%', target: { atLeast: 99 } },
  ]
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
