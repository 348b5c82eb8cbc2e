import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { BareOutage } from './support/bare-outage.ts'
import { clearBeats, keptBetween, mapBeats, seedBeats } from './support/beats.ts'
import { type BenchDatabase, type BenchService, inBenchService, type Say } from './support/bench-service.ts'
import type { Child } from './support/child.ts'
import { databaseFacts } from './support/facts.ts'
import { posterOf } from './support/post.ts'
import type { Figure, Report } from './support/report.ts'
import { seedItems } from './support/seed.ts'
import { TEMPORAL_VERSION } from './support/temporal-tools.ts'

const BEATS = 1000
const ITEMS = 20
const WARM_UP_MS = 15_000
const PATIENCE_MS = 180_000
const INCIDENTS = 3000
const WRITERS = 4
const WATCHED_BEATS = 30
/** As the service does. */
const BARE = { atOnce: 100, width: 4 }

const acting = {
  threshold_policies: { critical_rule: { consecutive_failures: 1 } },
  action_policies: { critical: { public_post: true, public_post_mode: 'automatic' } },
}

/** The worst hour: a thousand beats turn critical at once, and checks go on under a storm of incidents. */
export default function outage(say: Say): Promise<Report> {
  return inBenchService(
    say,
    async (service) => {
      await seedItems(service.database)
      const target = await service.start(new URL('./support/check-target.ts', import.meta.url))
      const { address } = await service.startTemporal()
      const api = await service.startApi({ TEMPORAL_ADDRESS: address })
      const worker = await service.startWorker({ TEMPORAL_ADDRESS: address })
      const spread = await strike(service, target, ITEMS, say)
      const one = await strike(service, target, 1, say)
      const kept = await storm(service, target, Number(api.ready.port), say)
      await worker.stop()
      await api.stop()
      const bareSpread = await strikeBare(service, 'bare_spread', ITEMS, say)
      const bareOne = await strikeBare(service, 'bare_one', 1, say)
      return {
        how: [
          `${BEATS} HTTP beats of 1 s, each with an automatic post, of a server on loopback that begins to answer 500; the page has 1,000 items. Times are from that moment to the moment of the last transition, and to the commit of the last incident (\`pg_xact_commit_timestamp\`). Slots are those of all beats from that moment to the last incident.`,
          `The bare loop is a process that has all results in its memory and runs the same transactions, ${BARE.atOnce} beats in an evaluation, ${BARE.width} transactions at a time, without checks, API, worker or Temporal. The service needs up to a second more, until the last beat is checked.`,
          `The storm: ${INCIDENTS} incidents with reminders are reported by ${WRITERS} writers at once, while ${WATCHED_BEATS} beats of 1 s are checked. Temporal is server ${TEMPORAL_VERSION} on the same PostgreSQL.`,
        ],
        figures: [
          ...figures(`over ${ITEMS} items`, spread, bareSpread),
          ...figures('on one item', one, bareOne),
          { name: 'storm: slots kept', value: kept.share * 100, unit: '%', target: { atLeast: 99 } },
          { name: 'storm: incidents reported', value: kept.rate, unit: '/s' },
        ],
        facts: await databaseFacts(service.database),
      }
    },
    { track_commit_timestamp: 'on' },
  )
}

interface Struck {
  stages: number
  incidents: number
}

function figures(name: string, ours: Struck & { slots: number }, bare: Struck): Figure[] {
  return [
    { name: `${name}: last stage stored`, value: ours.stages, unit: 'ms' },
    { name: `${name}: last incident open`, value: ours.incidents, unit: 'ms' },
    { name: `${name}, bare loop: last stage stored`, value: bare.stages, unit: 'ms' },
    { name: `${name}, bare loop: last incident open`, value: bare.incidents, unit: 'ms' },
    {
      name: `${name}: last incident, against the bare loop`,
      value: ours.incidents / bare.incidents,
      unit: '',
      target: { atMost: 2 },
    },
    { name: `${name}: slots kept`, value: ours.slots * 100, unit: '%', target: { atLeast: 99 } },
  ]
}

async function seedActing(database: Client, url: string, items: number): Promise<number[]> {
  const beats = await seedBeats(database, BEATS, url, 1, acting)
  const { rows } = await database.query<{ id: number }>(
    `select id from hierarchy_item where slug like 'item-3-%' order by id limit $1`,
    [items],
  )
  await mapBeats(
    database,
    beats,
    rows.map(({ id }) => id),
  )
  return beats
}

async function strike(service: BenchService, target: Child, items: number, say: Say) {
  const { database } = service
  const url = `http://127.0.0.1:${target.ready.port}`
  const beats = await seedActing(database, url, items)
  await sleep(WARM_UP_MS)
  say(`${BEATS} beats over ${items} items turn critical`)
  const from = new Date()
  await target.ask({ status: 500 })
  await untilCount(
    database,
    'select count(*)::int as count from beat where id = any($1) and current_incident_id is not null',
    beats,
  )
  const lastOf = async (sql: string) => {
    const { rows } = await database.query<{ at: Date }>(sql, [beats, from])
    return rows[0]!.at.getTime() - from.getTime()
  }
  const stages = await lastOf(
    `select max(at) as at from beat_transition
      where owner_kind = 'beat' and owner_id = any($1) and to_stage = 'critical' and at >= $2`,
  )
  const incidents = await lastOf(
    `select max(pg_xact_commit_timestamp(i.xmin)) as at from beat b join incident i on i.id = b.current_incident_id
      where b.id = any($1) and i.created_at >= $2`,
  )
  await sleep(2000)
  const seconds = Math.max(1, Math.floor(incidents / 1000))
  const to = new Date(from.getTime() + seconds * 1000)
  const { share } = await keptBetween(database, from, to, BEATS * seconds)
  await target.ask({ status: 200 })
  await end(database)
  return { stages, incidents, slots: share }
}

/** No beat is checked any more, and no incident is open. */
async function end(database: Client): Promise<void> {
  await clearBeats(database)
  await database.query(`update incident set status = 'resolved', resolved_at = now() where resolved_at is null`)
  await database.query('update incident_impact set end_time = now() where end_time is null')
  await database.query(`update hierarchy_item set status = 'operational' where status <> 'operational'`)
  await database.query('delete from wakeup')
  await database.query('vacuum analyze')
  await sleep(5000)
}

async function strikeBare(service: BenchService, name: string, items: number, say: Say): Promise<Struck> {
  const other: BenchDatabase = await service.anotherDatabase(name)
  await seedItems(other.database)
  const beats = await seedActing(other.database, 'http://127.0.0.1:9', items)
  const { rows } = await other.database.query<{ id: number }>('select min(id) as id from page')
  const bare = await service.start(new URL('./support/bare-outage.ts', import.meta.url), {
    DATABASE_URL: other.databaseUrl,
  })
  say(`Bare loop: ${BEATS} beats over ${items} items`)
  const took = await bare.ask<Struck>({ pageId: rows[0]!.id, beats, ...BARE } satisfies BareOutage)
  await bare.stop()
  return took
}

async function storm(service: BenchService, target: Child, port: number, say: Say) {
  const { database, token } = service
  await seedBeats(database, WATCHED_BEATS, `http://127.0.0.1:${target.ready.port}`, 1)
  await sleep(WARM_UP_MS)
  say(`${INCIDENTS} incidents with reminders, while ${WATCHED_BEATS} beats of 1 s are checked`)
  const post = posterOf(port, token)
  const from = new Date()
  let left = INCIDENTS
  const write = async () => {
    while (left > 0) {
      left -= 1
      await post('/incidents', { title: 'Payments fail for some', reminder_interval_minutes: 60 })
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, write))
  const seconds = Math.floor((Date.now() - from.getTime()) / 1000)
  await sleep(3000)
  const to = new Date(from.getTime() + seconds * 1000)
  const { share } = await keptBetween(database, from, to, WATCHED_BEATS * seconds)
  return { share, rate: INCIDENTS / seconds }
}

async function untilCount(database: Client, sql: string, beats: number[]): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(200)) {
    const { rows } = await database.query<{ count: number }>(sql, [beats])
    if (rows[0]!.count === beats.length) return
    if (Date.now() > deadline) throw new Error(`${beats.length - rows[0]!.count} beats have opened no incident`)
  }
}
