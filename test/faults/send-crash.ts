import { randomBytes } from 'node:crypto'
import type { CrashPoint } from '../../src/domain/kernel/crash-points.ts'
import { makeKey, openKeyring } from '../../src/domain/kernel/keyring.ts'
import { sealOf } from '../../src/domain/kernel/secrets.ts'
import { databaseUrlOf } from '../support/administrator.ts'
import { testServers } from '../support/servers.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'
import { openWebhookSink, type WebhookSink } from '../support/webhook-sink.ts'
import { openHost } from './host.ts'

/** What a worker has in flight: at most so many messages arrive twice for each kill. */
const IN_FLIGHT = 32

/** Of each hundred recipients, one refuses what it gets, and one is suppressed. */
const fates = { refusing: 1, suppressed: 2 }

interface Ends {
  died: string[]
  notified: { sent: number; failed: number; pending: number; not_sent: { reason: string; count: number }[] }
  /** How many receivers got the message. */
  reached: number
  tooOftenTwice: boolean
  errors: string[]
}

export const allReached = (recipients: number, kills: number): Ends => ({
  died: Array(kills).fill('SIGKILL'),
  notified: {
    sent: (recipients * 98) / 100,
    failed: recipients / 100,
    pending: 0,
    not_sent: [{ reason: 'subscriber_suppressed', count: recipients / 100 }],
  },
  reached: (recipients * 99) / 100,
  tooOftenTwice: false,
  errors: [],
})

/** Notifies so many webhooks of one incident. A worker dies at each of the points in turn, and the next one goes on. */
export async function sendCrash(points: readonly CrashPoint[], recipients: number): Promise<Ends> {
  const service = await openTestService()
  const sink = await openWebhookSink()
  const keys = makeKey()
  const { temporalAddress } = testServers()
  const host = openHost({ DATABASE_URL: await databaseUrlOf(service), TEMPORAL_ADDRESS: temporalAddress })
  try {
    sink.answer = ({ path }) => ({ status: Number(path.slice(1)) % 100 === fates.refusing ? 410 : 204 })
    await insertWebhooks(service, sink.url, keys, recipients)
    const { body: incident } = await service.admin.post('/admin/incidents', { title: 'Card payments fail' })
    const died: string[] = []
    for (const point of points) {
      const from = new Date(0).toISOString()
      died.push(await host.startWorker({ ENCRYPTION_KEYS: keys, TEST_CRASH_AT: `${point}@${from}` }).ended)
    }
    host.startWorker({ ENCRYPTION_KEYS: keys })
    const notified = await until(
      () => notifiedOf(service, incident.id),
      ({ sent, pending }) => sent > 0 && pending === 0,
    )
    const ids = new Set(sink.received.map(({ headers }) => headers['webhook-id']))
    const twice = sink.received.length - ids.size
    return {
      ...{ died, notified, reached: ids.size },
      ...{ tooOftenTwice: twice > points.length * IN_FLIGHT, errors: host.errors() },
    }
  } finally {
    await host.close()
    await sink.close()
    await service.close()
  }
}

async function notifiedOf(service: TestService, incident: number): Promise<Ends['notified']> {
  const { body } = await service.admin.get(`/admin/incidents/${incident}/notifications`)
  const { sent, failed, pending, not_sent } = body.events[0]
  return { sent, failed, pending, not_sent }
}

/** By SQL, because requests for 10,000 subscribers take minutes. */
async function insertWebhooks(service: TestService, url: WebhookSink['url'], keys: string, count: number) {
  const em = service.services.system.em.fork()
  const page_id = service.page.id
  const rows = await em.execute<{ id: number }[]>(
    `with made as (insert into subscriber (page_id, channel, address, shown_address, state, frequency, source, bounce_count,
        confirmation_number, version, created_at, updated_at)
      select ?, 'webhook', ? || n, ? || n, case when n % 100 = ? then 'suppressed' else 'active' end, 'immediate', 'admin',
        0, 0, 1, now(), now()
      from generate_series(1, ?::int) n returning id, page_id),
    wanted as (insert into subscription (page_id, subscriber_id, scope_kind, items, event_kinds, internal, enabled, created_at, updated_at)
      select page_id, id, 'page', '[]', '["incident.created"]', false, true, now(), now() from made)
    select id from made`,
    [page_id, `${url}/`, `${url}/`, fates.suppressed, count],
  )
  const ring = openKeyring(keys)
  const secrets = rows.map(({ id }) => {
    const name = `subscriber ${id}`
    const plain = `whsec_${randomBytes(24).toString('base64')}`
    return { page_id, name, ...ring.encrypt(plain, sealOf({ page_id, name })) }
  })
  await em.execute(
    `insert into secret (page_id, name, key_id, ciphertext, updated_at)
      select page_id, name, key_id, ciphertext, now() from jsonb_to_recordset(?::jsonb)
        as s(page_id int, name text, key_id text, ciphertext text)`,
    [JSON.stringify(secrets)],
  )
}
