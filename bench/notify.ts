import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { makeKey, openKeyring } from '../src/domain/kernel/keyring.ts'
import { sealOf } from '../src/domain/kernel/secrets.ts'
import type { Message } from '../src/domain/notifications/channels/channel.ts'
import { freePorts } from '../src/local/embedded/ports.ts'
import { withEmbeddedDatabase } from '../src/local/embedded-database.ts'
import { openTemporal } from '../src/orchestration/client.ts'
import { type Caller, callerOf } from '../test/support/caller.ts'
import type { Say } from './support/bench-service.ts'
import { type Child, startChild } from './support/child.ts'
import { found } from './support/found.ts'
import { startInstall } from './support/install.ts'
import type { Report } from './support/report.ts'

const COUNT = 10_000
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
  const install = await startInstall(dir, { PORT: String(port), RATE_LIMITS: 'off', ENCRYPTION_KEYS: keys })
  const sink = await startChild(new URL('./support/notify-sink.ts', import.meta.url), {})
  const bare = await startChild(new URL('./support/bare-notify.ts', import.meta.url), {})
  try {
    const admin = await prepare(dir, Number(port), keys, sink, say)
    const temporal = openTemporal(
      `127.0.0.1:${JSON.parse(readFileSync(join(dir, 'temporal/temporal.json'), 'utf8')).port}`,
      'upbeat',
    )
    const webhooks = await measure(admin, sink, 'webhook', say)
    const mails = await measure(admin, sink, 'email', say)
    const length = async (id: number) =>
      (await temporal.client.workflow.getHandle(`notification:${id}`).describe()).historyLength
    const transitions = (await length(webhooks.id)) / COUNT
    await temporal.close()
    const rates = {
      webhook: await bareRate(bare, 'webhook', Number(sink.ready.port), await messageOf(admin, webhooks.id, 'webhook')),
      email: await bareRate(bare, 'email', Number(sink.ready.smtp_port), await messageOf(admin, mails.id, 'email')),
    }
    return {
      how: [
        `\`npm start\` in an empty directory with ${COUNT} webhooks and ${COUNT} mail addresses. An incident is opened, which only the webhooks asked for, then resolved, which only the mail addresses asked for. The rate is from the request to the last arrival at a sink in a process of its own, with recipients found, deliveries stored, each looked at again, sent 22 at once, and each outcome stored.`,
        'The reference is a Node loop in its own process that renders, signs and sends as many messages of the same content to the same sink over kept connections, 22 at once, after the service was measured and while it rests.',
      ],
      figures: [
        { name: 'webhooks against the loop', value: webhooks.rate / rates.webhook, unit: '', target: { atLeast: 0.5 } },
        { name: 'webhooks', value: webhooks.rate, unit: '/s' },
        { name: 'webhooks of the loop', value: rates.webhook, unit: '/s' },
        { name: 'mails against the loop', value: mails.rate / rates.email, unit: '', target: { atLeast: 0.5 } },
        { name: 'mails', value: mails.rate, unit: '/s' },
        { name: 'mails of the loop', value: rates.email, unit: '/s' },
        { name: 'events of the history per delivery', value: transitions, unit: '', target: { under: 0.05 } },
      ],
    }
  } finally {
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
    const { rows } = await database.query<{ id: number }>('select max(id) as id from page')
    say(`${COUNT} webhooks and ${COUNT} mail addresses`)
    await insertSubscribers(database, rows[0]!.id, keys, Number(sink.ready.port))
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

async function insertSubscribers(database: pg.Client, page: number, keys: string, port: number): Promise<void> {
  const insert = (channel: string, address: string, kind: string) =>
    database.query<{ id: number }>(
      `with made as (insert into subscriber (page_id, channel, address, shown_address, state, frequency, source, bounce_count,
          confirmation_number, version, created_at, updated_at)
        select $1, $2, replace($3, '#', n::text), replace($3, '#', n::text), 'active', 'immediate', 'admin', 0, 0, 1, now(), now()
        from generate_series(1, $4::int) n returning id),
      wanted as (insert into subscription (page_id, subscriber_id, scope_kind, items, event_kinds, internal, enabled, created_at, updated_at)
        select $1, id, 'page', '[]', jsonb_build_array($5::text), false, true, now(), now() from made)
      select id from made`,
      [page, channel, address, COUNT, kind],
    )
  await insert('email', 'reader-#@example.com', 'incident.resolved')
  const { rows } = await insert('webhook', `http://localhost:${port}/#`, 'incident.created')
  const ring = openKeyring(keys)
  const secrets = rows.map(({ id }) => {
    const name = `subscriber ${id}`
    const plain = `whsec_${randomBytes(24).toString('base64')}`
    return { page_id: page, name, ...ring.encrypt(plain, sealOf({ page_id: page, name })) }
  })
  await database.query(
    `insert into secret (page_id, name, key_id, ciphertext, updated_at)
      select page_id, name, key_id, ciphertext, now() from jsonb_to_recordset($1::jsonb)
        as s(page_id int, name text, key_id text, ciphertext text)`,
    [JSON.stringify(secrets)],
  )
  await database.query('analyze')
}

async function measure(admin: Caller, sink: Child, channel: 'email' | 'webhook', say: Say) {
  await sink.ask({ reset: true })
  const started = Date.now()
  const title = 'Card payments fail'
  const { body: incident } =
    channel === 'webhook'
      ? await admin.post('/admin/incidents', { title, external_id: 'bench' })
      : await admin.post('/admin/incidents/external/bench/resolve', { resolution_message: 'Payments work again.' })
  for (;;) {
    const { webhooks, mails, last } = await sink.ask<Counted>({})
    const count = channel === 'webhook' ? webhooks : mails
    if (count >= COUNT) {
      const rate = COUNT / ((last - started) / 1000)
      say(`${COUNT} by ${channel}: ${rate.toFixed(0)}/s`)
      return { rate, id: await notificationOf(admin, incident.id) }
    }
    if (Date.now() - started > PATIENCE_MS) throw new Error(`${count} of ${COUNT} arrived`)
    await sleep(50)
  }
}

async function notificationOf(admin: Caller, incident: number): Promise<number> {
  const { body } = await admin.get(`/admin/notifications?subject=incident:${incident}&limit=1`)
  return body.notifications[0].id
}

/** The message of one delivery, from which the loop writes all of its messages. */
async function messageOf(admin: Caller, id: number, channel: string): Promise<Message> {
  const { body } = await admin.get(`/admin/notifications/${id}/deliveries?limit=1&channel=${channel}`)
  const { body: delivery } = await admin.get(`/admin/deliveries/${body.deliveries[0].id}`)
  const { body: settings } = await admin.get('/admin/settings')
  const { body: incident } = await admin.get('/admin/incidents/external/bench')
  const { body: event } = await admin.get(`/admin/notifications/${id}`)
  return {
    id: 'msg_0',
    page_id: 1,
    notifications: [
      {
        event: {
          ...{
            id,
            key: event.key,
            subject_kind: 'incident',
            subject_id: incident.id,
            late: false,
            missed: 0,
            data: event.data,
          },
          ...{ due_at: new Date(event.due_at), created_at: new Date(event.created_at) },
        },
        content: {
          ...{
            sequence: 1,
            page: { id: 1, name: 'Acme', url: 'http://localhost/' },
            record: incident,
            items: [],
            scope: [],
          },
          ...{ update: incident.updates[0], statuses: {}, translations: { record: [], update: [] } },
        },
      },
    ],
    recipient: {
      ...{
        address: delivery.recipient.replace(/\d+(?=@|$)/, '0'),
        shown_address: delivery.recipient,
        subscriber_id: 1,
      },
      ...{ locale: 'en', time_zone: 'UTC', secrets: [`whsec_${randomBytes(24).toString('base64')}`] },
      links: { manage: 'https://status.example.com/m', unsubscribe: 'https://status.example.com/u' },
    },
    settings,
  }
}

async function bareRate(bare: Child, channel: 'email' | 'webhook', port: number, message: Message): Promise<number> {
  return (await bare.ask<{ rate: number }>({ channel, count: COUNT, port, message })).rate
}
