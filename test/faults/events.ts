import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { callerOf } from '../support/caller.ts'
import { until } from '../support/wait.ts'
import { type Bench, openBench } from './bench.ts'
import { kill } from './kill.ts'
import { type Random, randomFrom } from './random.ts'
import { makePage } from './run.ts'

/** Sends events of many fingerprints, shuffled and some of them twice, while every process is killed. */

interface EventOptions {
  seed: number
  events: number
  kills: number
  say: (text: string) => void
  opened?: (bench: Bench) => void
}

const CLIENTS = 20
const BEATS = 10
const FINGERPRINTS = 100
const TWICE = 0.05
const LONGEST_QUIET_MS = 300_000
const stages = ['critical', 'warning', 'healthy'] as const

interface Sent {
  /** Identifies the delivery. */
  delivery: string
  beat: number
  fingerprint: string
  stage: (typeof stages)[number]
  /** The time of the source, in seconds. */
  at: number
}

export async function runEvents({ seed, events, kills, say, opened }: EventOptions) {
  const random = randomFrom(seed)
  const bench = await openBench({ minuteMs: 60_000, say })
  opened?.(bench)
  const database = new pg.Client({ connectionString: bench.databaseUrl })
  let problems: string[] = []
  try {
    const pageToken = await makePage(bench.databaseUrl)
    await until(
      () =>
        fetch(`${bench.url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      (isReady) => isReady,
    )
    const admin = callerOf(bench.url, pageToken)
    const { id, token, beats } = await setUp(admin)
    const wanted = plan(random, events)
    const deliveries = shuffled(random, [...wanted, ...wanted.filter(() => random.chance(TWICE))])
    const accepted = new Map<string, number>()
    const began = Date.now()
    let next = 0
    const client = async () => {
      for (let sent = deliveries[next++]; sent; sent = deliveries[next++]) {
        const eventId = await deliver(bench.url, token, sent)
        if (accepted.has(sent.delivery) && accepted.get(sent.delivery) !== eventId)
          problems.push(`${sent.delivery} was stored twice`)
        accepted.set(sent.delivery, eventId)
      }
    }
    const killed = kill(bench, random, kills, () => next / deliveries.length, say)
    await Promise.all(Array.from({ length: CLIENTS }, client))
    await killed
    const sending = (Date.now() - began) / 1000
    await database.connect()
    const quiet = await untilEvaluated(database)
    problems = [...problems, ...quiet, ...(await compare(database, { id, beats, wanted, accepted }))]
    const figures = { seed, events, deliveries: deliveries.length, sendingSeconds: sending }
    return { problems, figures }
  } finally {
    await database.end().catch(() => {})
    await bench.close()
    if (problems.length === 0) rmSync(bench.dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** An endpoint with a trigger for each beat, and one that never matches. */
async function setUp(admin: ReturnType<typeof callerOf>) {
  const { body: endpoint } = await admin.post('/admin/external-event-endpoints', { name: 'Storm' })
  const beats: number[] = []
  for (let n = 0; n < BEATS; n += 1) {
    const { body: beat } = await admin.post('/admin/beats', {
      ...{ name: `Beat ${n}`, type: 'external_event', target: { kind: 'external_event' } },
    })
    beats.push(beat.id)
    const { status, body } = await admin.post('/admin/external-triggers', {
      ...{ name: `Rule ${n}`, source_id: endpoint.id, confirm_no_evidence: true },
      conditions: { path: '$.beat', operator: 'equals', value: n },
      stage_mapping: {
        state_path: '$.stage',
        values: { critical: 'critical', warning: 'warning', healthy: 'healthy' },
      },
      output_mapping: {
        fingerprint_path: '$.fingerprint',
        observed_at_path: '$.at',
        external_event_id_path: '$.delivery',
      },
      associations: [{ monitor_id: beat.id }],
    })
    if (status !== 201) throw new Error(body.error)
  }
  return { id: endpoint.id as number, token: endpoint.ingest_token as string, beats }
}

function plan(random: Random, events: number): Sent[] {
  return Array.from({ length: events }, (_, index) => ({
    delivery: `event-${index}`,
    beat: random.between(0, BEATS - 1),
    fingerprint: `alert-${random.between(0, FINGERPRINTS - 1)}`,
    stage: stages[random.between(0, stages.length - 1)]!,
    at: 1_700_000_000 + index,
  }))
}

const shuffled = (random: Random, list: Sent[]): Sent[] =>
  list
    .map((one, index) => ({ one, rank: index + random.between(0, 200) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one)

/** Sends until the event is accepted, as a monitoring tool that retries does. */
async function deliver(url: string, token: string, sent: Sent): Promise<number> {
  for (;;) {
    try {
      const response = await fetch(`${url}/api/v1/external-events/ingest`, {
        method: 'POST',
        headers: {
          ...{ 'X-External-Event-Token': token, 'Content-Type': 'application/json', 'Idempotency-Key': sent.delivery },
        },
        body: JSON.stringify(sent),
      })
      if (response.status === 202) return ((await response.json()) as { event_id: number }).event_id
    } catch {
      // The API is away.
    }
    await sleep(200)
  }
}

async function untilEvaluated(database: pg.Client): Promise<string[]> {
  const began = Date.now()
  for (;;) {
    const { rows } = await database.query<{ pending: number }>(
      "select count(*)::int as pending from ingest_event where state = 'pending'",
    )
    if (rows[0]!.pending === 0) return []
    if (Date.now() - began > LONGEST_QUIET_MS) return [`${rows[0]!.pending} events were not evaluated`]
    await sleep(500)
  }
}

interface Course {
  id: number
  beats: number[]
  wanted: Sent[]
  accepted: Map<string, number>
}

/** Compares the stored events, evaluations and stages with a simple model: the latest report of each fingerprint counts. */
async function compare(database: pg.Client, { beats, wanted, accepted }: Course): Promise<string[]> {
  const problems: string[] = []
  const { rows: stored } = await database.query<{ id: string; delivery: string; evaluations: number }>(
    `select e.id, e.body::jsonb ->> 'delivery' as delivery,
        (select count(*)::int from event_evaluation v where v.event_id = e.id) as evaluations from ingest_event e`,
  )
  const keys = new Map(stored.map(({ id, delivery }) => [delivery, Number(id)]))
  if (stored.length !== keys.size) problems.push(`${stored.length - keys.size} events were stored twice`)
  for (const [key, id] of accepted) if (keys.get(key) !== id) problems.push(`${key} was accepted and is not stored`)
  for (const { delivery, evaluations } of stored) {
    if (evaluations !== BEATS) problems.push(`${delivery} has ${evaluations} evaluations, not one for each trigger`)
  }
  const last = new Map<string, Sent>()
  for (const sent of wanted) last.set(`${sent.beat} ${sent.fingerprint}`, sent)
  const { rows } = await database.query<{ id: number; current_stage: string }>('select id, current_stage from beat')
  for (const [index, beatId] of beats.entries()) {
    const open = [...last.values()].filter(({ beat }) => beat === index).map(({ stage }) => stage)
    const expected = stages.find((stage) => open.includes(stage)) ?? 'healthy'
    const { current_stage } = rows.find(({ id }) => id === beatId)!
    if (current_stage !== expected) problems.push(`the beat ${beatId} is ${current_stage}, not ${expected}`)
  }
  return problems
}
