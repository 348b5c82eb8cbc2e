import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { callerOf } from '../support/caller.ts'
import { openWebhookSink, type WebhookSink } from '../support/webhook-sink.ts'
import { answered } from './agent.ts'
import { type Bench, openBench } from './bench.ts'
import { kill } from './kill.ts'
import { randomFrom } from './random.ts'
import { makePage } from './run.ts'

/** Opens incidents with many webhooks subscribed, while every process is killed, and compares the sink with the deliveries. */

interface NotificationOptions {
  seed: number
  events: number
  subscribers: number
  kills: number
  say: (text: string) => void
  opened?: (bench: Bench) => void
}

/** What a worker has in flight: at most so many messages arrive twice for each kill. */
const IN_FLIGHT = 32
const LONGEST_QUIET_MS = 300_000

export async function runNotifications({ seed, events, subscribers, kills, say, opened }: NotificationOptions) {
  const random = randomFrom(seed)
  const sink = await openWebhookSink()
  const bench = await openBench({ minuteMs: 60_000, say })
  opened?.(bench)
  const database = new pg.Client({ connectionString: bench.databaseUrl })
  const problems: string[] = []
  try {
    const admin = callerOf(bench.url, await makePage(bench.databaseUrl))
    for (let n = 0; n < subscribers; n += 1) {
      const made = await answered(() =>
        admin.post('/admin/subscribers', { channel: 'webhook', url: `${sink.url}/${n}` }),
      )
      if (made.status !== 201) throw new Error(JSON.stringify(made.body))
    }
    const began = Date.now()
    let next = 0
    const client = async () => {
      for (let index = next++; index < events; index = next++) {
        const incident = { title: `Incident ${index}`, external_id: `incident-${index}` }
        await answered(() => admin.post('/admin/incidents', incident))
      }
    }
    const killing = kill(bench, random, kills, () => next / events, say)
    await Promise.all([client(), client(), client()])
    await killing
    await database.connect()
    problems.push(...(await untilSent(database)))
    const seconds = (Date.now() - began) / 1000
    const { found, twice } = await compare(database, sink, { events, subscribers, kills })
    problems.push(...found)
    return { problems, figures: { seed, events, subscribers, kills, seconds, received: sink.received.length, twice } }
  } finally {
    await database.end().catch(() => {})
    await bench.close()
    await sink.close()
    if (problems.length === 0) rmSync(bench.dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function untilSent(database: pg.Client): Promise<string[]> {
  const began = Date.now()
  for (;;) {
    const { rows } = await database.query<{ pending: number }>(
      `select count(*)::int as pending from notification_event where state in ('queued', 'sending')`,
    )
    if (rows[0]!.pending === 0) return []
    if (Date.now() - began > LONGEST_QUIET_MS) return [`${rows[0]!.pending} notifications are not done`]
    await sleep(500)
  }
}

async function compare(
  database: pg.Client,
  sink: WebhookSink,
  { events, subscribers, kills }: { events: number; subscribers: number; kills: number },
) {
  const found: string[] = []
  const { rows } = await database.query<{ state: string; count: number }>(
    'select state, count(*)::int as count from delivery group by state',
  )
  const sent = rows.find(({ state }) => state === 'sent')?.count ?? 0
  if (sent !== events * subscribers) found.push(`${JSON.stringify(rows)}, not ${events * subscribers} sent`)
  const ids = new Map<string, number>()
  for (const { headers } of sink.received) {
    const id = String(headers['webhook-id'])
    ids.set(id, (ids.get(id) ?? 0) + 1)
  }
  if (ids.size !== events * subscribers) found.push(`the sink has ${ids.size} messages, not ${events * subscribers}`)
  const twice = sink.received.length - ids.size
  if (twice > kills * IN_FLIGHT) found.push(`${twice} messages arrived again after ${kills} kills`)
  return { found, twice }
}
