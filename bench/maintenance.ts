import { setTimeout as sleep } from 'node:timers/promises'
import { openTemporal } from '../src/orchestration/client.ts'
import type { Timers } from './support/bare-timers.ts'
import { type BenchService, inBenchService, NAMESPACE, type Say } from './support/bench-service.ts'
import { cpuByThread, cpuOf } from './support/cpu.ts'
import { databaseFacts, postmasterOf } from './support/facts.ts'
import type { ProductionTemporal } from './support/production-temporal.ts'
import type { Figure, Report } from './support/report.ts'
import { seedItems } from './support/seed.ts'
import { TEMPORAL_VERSION } from './support/temporal-tools.ts'
import {
  endWindows,
  type Lateness,
  latenessOf,
  seedWindows,
  untilAll,
  untilStarted,
  untilWaiting,
  type Wave,
} from './support/windows.ts'

const WINDOWS = 1000
const MINUTE_MS = 60_000
/** For a thousand processes to learn of their windows. */
const AHEAD_MS = 90_000
/** How many steps a worker takes at a time. */
const CONCURRENCY = 20
const PATIENCE_MS = 5 * MINUTE_MS

/** Whether a thousand windows start on time, and what a window costs Temporal. */
export default function maintenance(say: Say): Promise<Report> {
  return inBenchService(
    say,
    async (service) => {
      await seedItems(service.database)
      const temporal = await service.startTemporal()
      const spread = await bySchedule(service, { temporal, spreadMs: MINUTE_MS, say })
      const burst = await bySchedule(service, { temporal, spreadMs: 0, say })
      const bareSpread = await byTimers(service, { spreadMs: MINUTE_MS, say })
      const bareBurst = await byTimers(service, { spreadMs: 0, say })
      const costs = [...spread.transitions, ...burst.transitions]
      return {
        how: [
          `${WINDOWS} windows with auto transition on one page of 1,000 items, each on a leaf of its own: the worst there is, because each start recomputes the statuses of the page's whole tree, one at a time. Their starts are spread over a minute, and in a second round all fall into one moment; each lasts 75 s. Lateness is from the due moment to the moment that the timeline entry bears, and to the commit (\`pg_xact_commit_timestamp\`).`,
          `The reference is a process that holds a bare \`setTimeout\` for each window and takes the very same step, ${CONCURRENCY} at a time, like the worker, with as many connections. Temporal is server ${TEMPORAL_VERSION} on the same PostgreSQL, configured as it comes: it fires timers up to a second late (\`history.timerProcessorMaxTimeShift\`). State transitions are those that \`describe\` counts, from the planning to the completion, without reminders.`,
        ],
        figures: [
          ...figures('spread', spread.starts, bareSpread),
          ...figures('at once', burst.starts, bareBurst),
          { name: 'starts, at once', value: rate(burst.starts), unit: '/s' },
          { name: 'starts, at once, bare timers', value: rate(bareBurst), unit: '/s' },
          ...Object.entries(burst.cpu).map(([part, ms]) => ({
            name: `at once: CPU for each start, ${part}`,
            value: ms / WINDOWS,
            unit: 'ms',
          })),
          { name: 'state transitions for each window', value: mean(costs), unit: '', target: { atMost: 12 } },
          { name: 'state transitions, most of any window', value: Math.max(...costs), unit: '' },
        ],
        facts: await databaseFacts(service.database),
      }
    },
    { track_commit_timestamp: 'on' },
  )
}

function figures(round: string, ours: Lateness, bare: Lateness): Figure[] {
  const times = (who: string, { entry, commit }: Lateness): Figure[] => [
    { name: `${round}, ${who}: entry, p50`, value: entry.p50, unit: 'ms' },
    { name: `${round}, ${who}: entry, p99`, value: entry.p99, unit: 'ms' },
    { name: `${round}, ${who}: commit, p99`, value: commit.p99, unit: 'ms' },
    { name: `${round}, ${who}: commit, longest`, value: commit.max, unit: 'ms' },
  ]
  return [
    ...times('service', ours),
    ...times('bare timers', bare),
    { name: `${round}: entry, p99, against bare timers`, value: ours.entry.p99 / bare.entry.p99, unit: '' },
    { name: `${round}: commit, p99, against bare timers`, value: ours.commit.p99 / bare.commit.p99, unit: '' },
  ]
}

const rate = ({ count, seconds }: Lateness) => count / seconds
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

interface Round {
  spreadMs: number
  say: Say
}

async function bySchedule(
  service: BenchService,
  { temporal, spreadMs, say }: Round & { temporal: ProductionTemporal },
) {
  const { database } = service
  const { address } = temporal
  const worker = await service.startWorker({ TEMPORAL_ADDRESS: address })
  const wave: Wave = { count: WINDOWS, from: new Date(Date.now() + AHEAD_MS), spreadMs, woken: true }
  say(`Planning ${WINDOWS} windows, ${spreadMs ? 'spread over a minute' : 'all in one moment'}`)
  const ids = await seedWindows(database, wave)
  await untilWaiting(database, ids, AHEAD_MS - 5000)
  say('All processes wait; now until the last window is completed')
  await sleep(wave.from.getTime() - Date.now())
  const before = await partsOf(database, worker.pid, temporal.pid)
  await untilStarted(database, ids, spreadMs + PATIENCE_MS)
  const after = await partsOf(database, worker.pid, temporal.pid)
  const cpu = Object.fromEntries(Object.entries(after).map(([part, ms]) => [part, ms - before[part as keyof Parts]]))
  await untilAll(database, ids, 'completed', AHEAD_MS + PATIENCE_MS)
  const starts = await latenessOf(database, ids, 'in_progress')
  const transitions = await transitionsOf(address, ids)
  await worker.stop()
  await endWindows(database)
  return { starts, transitions, cpu }
}

type Parts = Awaited<ReturnType<typeof partsOf>>

/** Where CPU time goes: the steps, the workflows, Temporal's SDK, its server, and PostgreSQL for both. */
async function partsOf(database: BenchService['database'], worker: number, temporal: number) {
  const { main, workers, native } = cpuByThread(worker)
  return {
    'steps and calls, our main thread': main,
    'workflows, their thread': workers,
    'native threads of the worker': native,
    "Temporal's server": cpuOf(temporal),
    PostgreSQL: cpuOf(await postmasterOf(database)),
  }
}

/** Asks every tenth window, once it is over. */
async function transitionsOf(address: string, ids: number[]): Promise<number[]> {
  const temporal = openTemporal(address, NAMESPACE)
  try {
    const counts: number[] = []
    for (const id of ids.filter((_, index) => index % 10 === 0)) {
      const handle = temporal.client.workflow.getHandle(`maintenance:${id}`)
      await handle.result()
      const { raw } = await handle.describe()
      counts.push(Number(raw.workflowExecutionInfo?.stateTransitionCount))
    }
    return counts
  } finally {
    await temporal.close()
  }
}

async function byTimers(service: BenchService, { spreadMs, say }: Round): Promise<Lateness> {
  const { database } = service
  const child = await service.start(new URL('./support/bare-timers.ts', import.meta.url))
  const wave: Wave = { count: WINDOWS, from: new Date(Date.now() + 5000), spreadMs, woken: false }
  say(`Bare timers: ${spreadMs ? 'spread over a minute' : 'all in one moment'}`)
  const ids = await seedWindows(database, wave)
  const { rows } = await database.query<{ page_id: number; id: number; at: Date }>(
    'select page_id, id, scheduled_start_time as at from maintenance where id = any($1) order by id',
    [ids],
  )
  await child.ask({
    pageId: rows[0]!.page_id,
    windows: rows.map(({ id, at }) => ({ id, at: at.getTime() })),
    concurrency: CONCURRENCY,
  } satisfies Timers)
  await untilAll(database, ids, 'in_progress', PATIENCE_MS)
  const starts = await latenessOf(database, ids, 'in_progress')
  await child.stop()
  await endWindows(database)
  return starts
}
