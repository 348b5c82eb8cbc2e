import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { makeKey } from '../src/domain/kernel/keyring.ts'
import type { Message } from '../src/domain/notifications/channels/channel.ts'
import { freePorts } from '../src/local/embedded/ports.ts'
import { withEmbeddedDatabase } from '../src/local/embedded-database.ts'
import { openTemporal } from '../src/orchestration/client.ts'
import { type Caller, callerOf } from '../test/support/caller.ts'
import { keptBetween, seedBeats } from './support/beats.ts'
import type { Say } from './support/bench-service.ts'
import { type Child, startChild } from './support/child.ts'
import { found } from './support/found.ts'
import { type Install, startInstall } from './support/install.ts'
import { memoryOf } from './support/memory-of.ts'
import { messageOf } from './support/notify-message.ts'
import { insertSubscribers, insertWebhooks } from './support/notify-subscribers.ts'
import type { Figure, Report } from './support/report.ts'

const COUNT = 10_000
const LOAD = 40_000
const BEATS = 30
const ROUNDS = 5
/** The outcomes of the last deliveries are stored meanwhile. */
const REST_MS = 1000
const SETTLE_MS = 15_000
const PATIENCE_MS = 300_000

interface Counted {
  webhooks: number
  mails: number
  last: number
}

/** One event to 10,000 webhooks, and one to 10,000 mailboxes, against a loop that only renders, signs and sends. */
export default async function notify(say: Say): Promise<Report> {
  const dir = mkdtempSync(join(tmpdir(), 'upbeat-bench-'))
  const [port] = await freePorts([undefined])
  const keys = makeKey()
  const install = await startInstall(dir, {
    PORT: String(port),
    RATE_LIMITS: 'off',
    ENCRYPTION_KEYS: keys,
    BEAT_TARGETS: 'any',
  })
  const sink = await startChild(new URL('./support/notify-sink.ts', import.meta.url), {})
  const bare = await startChild(new URL('./support/bare-notify.ts', import.meta.url), {})
  const target = await startChild(new URL('./support/check-target.ts', import.meta.url), {})
  try {
    const admin = await prepare(dir, Number(port), keys, sink, say)
    const temporal = openTemporal(
      `127.0.0.1:${JSON.parse(readFileSync(join(dir, 'temporal/temporal.json'), 'utf8')).port}`,
      'upbeat',
    )
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.push(await measureRound({ admin, sink, bare }, `bench-${round}`, say))
    }
    const length = async (id: number) =>
      (await temporal.client.workflow.getHandle(`notification:${id}`).describe()).historyLength
    const transitions = (await length(rounds[0]!.webhook.id)) / COUNT
    await temporal.close()
    const load = await measureLoad({ dir, keys, admin, sink, install, target }, say)
    return {
      how: [
        `\`npm start\` in an empty directory with ${COUNT} webhooks and ${COUNT} mail addresses. An incident is opened, which only the webhooks asked for, then resolved, which only the mail addresses asked for. The rate is from the request to the last arrival at a sink in a process of its own, with recipients found, deliveries stored, each looked at again, sent 22 at once, and each outcome stored.`,
        'The reference is a Node loop in its own process that renders, signs and sends as many messages of the same content to the same sink over kept connections, 22 at once, after each notification, while the service rests.',
        `${ROUNDS} rounds. The figures are of the last ${ROUNDS - 1}, for the service and for the loop; what the processes compile in their first round is in figures of its own.`,
        `At last an incident is updated, which ${LOAD} more webhooks asked for, while ${BEATS} beats of 1 s are checked; the memory is that of the moments before the request and after the last arrival.`,
      ],
      figures: [
        ...figuresOf('webhook', rounds),
        ...figuresOf('email', rounds),
        { name: 'events of the history per delivery', value: transitions, unit: '', target: { under: 0.05 } },
        ...load,
      ],
    }
  } finally {
    await target.stop()
    await bare.stop()
    await sink.stop()
    await install.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

async function prepare(dir: string, port: number, keys: string, sink: Child, say: Say): Promise<Caller> {
  let token = ''
  await withEmbeddedDatabase(dir, async (url) => {
    token = await found(url, 'all')
    const database = new pg.Client({ connectionString: url })
    await database.connect()
    say(`${COUNT} webhooks and ${COUNT} mail addresses`)
    const mailboxes = { address: 'reader-#@example.com', kind: 'incident.resolved' }
    await insertSubscribers(database, 'email', { count: COUNT, ...mailboxes })
    const address = `http://localhost:${sink.ready.port}/#`
    await insertWebhooks(database, keys, { count: COUNT, address, kind: 'incident.created' })
    await database.end()
  })
  const admin = callerOf(`http://127.0.0.1:${port}`, token)
  const { status, body } = await admin.patch('/admin/settings', {
    ...{ email_delivery_mode: 'smtp', email_smtp_host: '127.0.0.1', email_smtp_port: String(sink.ready.smtp_port) },
    email_from_address: 'status@example.com',
  })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return admin
}

interface Measured {
  rate: number
  /** The notification. */
  id: number
  /** The rate of the loop. */
  bare: number
}

type Round = Record<ChannelName, Measured>
type ChannelName = 'email' | 'webhook'

interface Running {
  admin: Caller
  sink: Child
  bare: Child
}

async function measureRound(running: Running, name: string, say: Say): Promise<Round> {
  const { admin } = running
  const webhook = await measure(running, 'webhook', say, () =>
    admin.post('/admin/incidents', { title: 'Card payments fail', external_id: name }),
  )
  const email = await measure(running, 'email', say, () =>
    admin.post(`/admin/incidents/external/${name}/resolve`, { resolution_message: 'Payments work again.' }),
  )
  return { webhook, email }
}

async function measure(
  { admin, sink, bare }: Running,
  channel: ChannelName,
  say: Say,
  write: () => ReturnType<Caller['post']>,
): Promise<Measured> {
  await sink.ask({ reset: true })
  const started = Date.now()
  const { body: incident } = await write()
  for (;;) {
    const { webhooks, mails, last } = await sink.ask<Counted>({})
    const count = channel === 'webhook' ? webhooks : mails
    if (count >= COUNT) {
      const rate = COUNT / ((last - started) / 1000)
      const id = await notificationOf(admin, incident.id)
      await sleep(REST_MS)
      const port = Number(channel === 'webhook' ? sink.ready.port : sink.ready.smtp_port)
      const bareRate = await rateOfLoop(bare, channel, port, await messageOf(admin, id, channel))
      say(`${COUNT} by ${channel}: ${rate.toFixed(0)}/s, the loop ${bareRate.toFixed(0)}/s`)
      return { rate, id, bare: bareRate }
    }
    if (Date.now() - started > PATIENCE_MS) throw new Error(`${count} of ${COUNT} arrived`)
    await sleep(50)
  }
}

/** The rate over several rounds of the same count. */
const rateOver = (rates: number[]) => rates.length / rates.reduce((sum, rate) => sum + 1 / rate, 0)

function figuresOf(channel: ChannelName, rounds: Round[]): Figure[] {
  const name = channel === 'webhook' ? 'webhooks' : 'mails'
  const [first, ...later] = rounds.map((round) => round[channel])
  const [rate, bare] = [rateOver(later.map((one) => one.rate)), rateOver(later.map((one) => one.bare))]
  return [
    { name: `${name} against the loop`, value: rate / bare, unit: '', target: { atLeast: 0.5 } },
    { name, value: rate, unit: '/s' },
    { name: `${name} of the loop`, value: bare, unit: '/s' },
    { name: `${name} against the loop, first round`, value: first!.rate / first!.bare, unit: '' },
  ]
}

interface Load {
  dir: string
  keys: string
  admin: Caller
  sink: Child
  install: Install
  target: Child
}

/** One event to many webhooks at once, while beats are checked. */
async function measureLoad({ dir, keys, admin, sink, install, target }: Load, say: Say): Promise<Figure[]> {
  const sizes = () => ['API', 'worker'].map((name) => memoryOf(install.processes().get(name)![0]!).megabytes)
  return withEmbeddedDatabase(dir, async (connectionString) => {
    const database = new pg.Client({ connectionString })
    await database.connect()
    await seedBeats(database, BEATS, `http://127.0.0.1:${target.ready.port}`, 1)
    await insertWebhooks(database, keys, {
      count: LOAD,
      kind: 'incident.updated',
      address: `http://localhost:${sink.ready.port}/load-#`,
    })
    await sleep(SETTLE_MS)
    await sink.ask({ reset: true })
    const before = sizes()
    const from = new Date()
    say(`${LOAD} webhooks, while ${BEATS} beats of 1 s are checked`)
    await admin.post('/admin/incidents', { title: 'Mails are late', external_id: 'load', notify: false })
    await admin.post('/admin/incidents/external/load/updates', { message: 'We look into it.' })
    for (let arrived = 0; arrived < LOAD; arrived = (await sink.ask<Counted>({})).webhooks) {
      if (Date.now() - from.getTime() > PATIENCE_MS) throw new Error(`${arrived} of ${LOAD} arrived`)
      await sleep(200)
    }
    const to = new Date()
    const after = sizes()
    // The last results are stored by then.
    await sleep(3000)
    const slots = (BEATS * (to.getTime() - from.getTime())) / 1000
    const { share } = await keptBetween(database, from, to, slots)
    await database.end()
    return [
      { name: `${LOAD} webhooks: slots of beats kept`, value: share * 100, unit: '%', target: { atLeast: 99 } },
      ...['API', 'worker'].map((name, index) => ({
        name: `${LOAD} webhooks: the ${name} grows by`,
        ...{ value: after[index]! - before[index]!, unit: 'MB', target: { atMost: 50 } },
      })),
    ]
  })
}

async function notificationOf(admin: Caller, incident: number): Promise<number> {
  const { body } = await admin.get(`/admin/notifications?subject=incident:${incident}&limit=1`)
  return body.notifications[0].id
}

async function rateOfLoop(bare: Child, channel: 'email' | 'webhook', port: number, message: Message): Promise<number> {
  return (await bare.ask<{ rate: number }>({ channel, count: COUNT, port, message })).rate
}
