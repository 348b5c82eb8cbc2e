import { rmSync } from 'node:fs'
import { type Caller, callerOf } from '../support/caller.ts'
import { passed, until } from '../support/wait.ts'
import { type Bench, openBench } from './bench.ts'
import { untilQuiet } from './facts.ts'
import { HEARTBEAT, type Heartbeat, startHeartbeat, writeMeanwhile } from './outage-calls.ts'
import { figuresOf, judge } from './outage-judge.ts'
import { readOutageRows } from './outage-rows.ts'
import { makeIncidents, makeItems, planWindows } from './outage-setup.ts'
import { makePage } from './run.ts'

interface Options {
  seconds: number
  say: (text: string) => void
  /** For an early stop: the servers would outlive the process. */
  opened?: (bench: Bench) => void
}

interface Report {
  problems: string[]
  figures: Record<string, number | string>
}

const SECOND = 1000
/** A reminder each minute is one every ten seconds: several fall due in an outage. */
const MINUTE_MS = 10 * SECOND
/** For the windows to be planned, and for some of them to start. */
const LEAD_MS = 15 * SECOND
const SHORTEST_SECONDS = 1.5 * (HEARTBEAT.period_seconds + HEARTBEAT.grace_seconds)

/** PostgreSQL is away while reminders, windows and heartbeats fall due; the records of that time must be true afterwards. */
export async function runOutage(options: Options): Promise<Report> {
  const { seconds, say } = options
  if (!(seconds >= SHORTEST_SECONDS)) {
    return { problems: [`an outage takes ${SHORTEST_SECONDS} s or more: a heartbeat falls due in it`], figures: {} }
  }
  const postgresSettings = { track_commit_timestamp: 'on' }
  const bench = await openBench({ minuteMs: MINUTE_MS, say, postgresSettings })
  options.opened?.(bench)
  let failed = true
  try {
    const admin = callerOf(bench.url, await makePage(bench.databaseUrl))
    const report = await breakOff(bench, admin, options)
    failed = report.problems.length > 0
    if (failed) say(`what the service wrote is in ${bench.dir}`)
    return report
  } finally {
    await bench.close()
    if (!failed) rmSync(bench.dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function breakOff(bench: Bench, admin: Caller, { seconds, say }: Options): Promise<Report> {
  await answers(() => admin.get('//readyz'))
  const items = await makeItems(admin)
  const ids = await makeIncidents(admin, items, 10)
  // The worker is there, too.
  await until(
    () => admin.get('/admin/notifications?key=incident.reminder'),
    ({ body }) => body.notifications.length > 0,
  )

  const from = Date.now() + LEAD_MS
  const outage = { from, until: from + seconds * SECOND }
  const plans = await planWindows(admin, items, outage)
  let away = false
  const heartbeat = (name: string, mayCall: () => boolean) => startHeartbeat({ admin, url: bench.url, name }, mayCall)
  const heartbeats = [await heartbeat('calls on', () => true), await heartbeat('waits', () => !away)]

  await passed(new Date(from))
  away = true
  say(`PostgreSQL is killed, and stays away for ${seconds} s`)
  outage.from = Date.now()
  const back = bench.kill('postgres', outage.until - Date.now())
  const refused = await writeMeanwhile(admin, outage, { item: items.ill[0]!, incidents: ids })
  await back
  const returned = Date.now()
  await answers(() => admin.get('//readyz'))
  away = false
  say(`PostgreSQL is back, and the API is ready after ${Date.now() - returned} ms`)
  const { problems, reported } = await refused.repeat(bench.databaseUrl)
  // Of some items alone: from then on their windows are seen.
  const resolved = ids.filter((_, index) => index % (items.both.length + items.ill.length) < items.both.length)
  for (const id of resolved) await answers(() => admin.post(`/admin/incidents/${id}/resolve`))
  const first = await untilQuiet(bench.databaseUrl)
  const quiet = Date.now()

  await passed(new Date(Math.max(...plans.map(({ end }) => end))))
  const since = await fallSilent(bench, heartbeats, ids.length + reported.length)
  const { horizon, left } = await untilQuiet(bench.databaseUrl)
  const rows = await readOutageRows(bench.databaseUrl)
  const asked = { items, plans, ids, reported: new Set([...ids, ...reported]), intervalMs: MINUTE_MS }
  const run = { ...asked, outage, since, horizon }
  return {
    problems: [
      ...refused.problems,
      ...problems,
      ...[first.left, left].filter((text) => text !== undefined),
      ...judge(rows, run),
    ],
    figures: {
      'seconds away': (returned - outage.from) / SECOND,
      'seconds until quiet': (quiet - returned) / SECOND,
      'writes refused': refused.count,
      'calls refused': heartbeats.reduce((sum, one) => sum + one.refused(), 0),
      ...figuresOf(rows, run),
    },
  }
}

const answers = (call: () => ReturnType<Caller['get']>) => until(call, ({ status }) => status === 200)

/** When each heartbeat was called last. By their incidents it is seen that those would have been opened before. */
async function fallSilent(bench: Bench, heartbeats: Heartbeat[], others: number): Promise<Map<number, number>> {
  const since = new Map<number, number>()
  for (const { id, stop } of heartbeats) since.set(id, await stop())
  await until(
    () => readOutageRows(bench.databaseUrl),
    ({ incidents }) => incidents.length >= others + heartbeats.length,
  )
  return since
}
