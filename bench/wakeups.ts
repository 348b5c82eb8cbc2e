import { setTimeout as sleep } from 'node:timers/promises'
import { inBenchService, type Say } from './support/bench-service.ts'
import { databaseFacts } from './support/facts.ts'
import { recordLags } from './support/lags.ts'
import { posterOf } from './support/post.ts'
import { transitionsPerReminder } from './support/reminders.ts'
import type { Report } from './support/report.ts'
import { TEMPORAL_VERSION } from './support/temporal-tools.ts'

const WRITES_PER_SECOND = 20
const WARM_UP_SECONDS = 10
const SECONDS = 60
/** An incident is updated while it is young, and by then its process has long looked at its report. */
const KEPT = 50

/** How soon a process looks after a write, and what a reminder costs Temporal. */
export default function wakeups(say: Say): Promise<Report> {
  return inBenchService(
    say,
    async (service) => {
      const { address } = await service.startTemporal()
      const api = await service.startApi({ TEMPORAL_ADDRESS: address })
      const worker = await service.startWorker({ TEMPORAL_ADDRESS: address })
      const post = posterOf(Number(api.ready.port), service.token)
      const write = writerOf(post)
      say(`Warming up for ${WARM_UP_SECONDS} s`)
      await atRate(WARM_UP_SECONDS, write)
      const lags = await recordLags(service.database)
      say(`Writing ${WRITES_PER_SECOND} times a second for ${SECONDS} s`)
      await atRate(SECONDS, write)
      const { p50, p99, max, count } = await lags.read()
      await worker.stop()
      const transitions = await transitionsPerReminder(service, { address, post, say })
      return {
        how: [
          `Every ${1000 / WRITES_PER_SECOND} ms, whether or not the last is answered, an incident is reported or updated, in turn, over HTTP. The lag of each of the ${count} wake-ups is from the commit that wrote it to the step's statement that takes it, both by PostgreSQL's clock: \`pg_xact_commit_timestamp\` of the writing transaction, and \`clock_timestamp()\` in a trigger on the deletion.`,
          `Temporal is server ${TEMPORAL_VERSION} on the same PostgreSQL. State transitions are those that \`describe\` counts, over 20 reminders of one incident.`,
        ],
        figures: [
          { name: 'lag from commit to step, p50', value: p50, unit: 'ms', target: { under: 5 } },
          { name: 'lag from commit to step, p99', value: p99, unit: 'ms', target: { under: 100 } },
          { name: 'lag from commit to step, longest', value: max, unit: 'ms' },
          { name: 'state transitions for each reminder', value: transitions, unit: '', target: { atMost: 4 } },
        ],
        facts: await databaseFacts(service.database),
      }
    },
    { track_commit_timestamp: 'on' },
  )
}

/** Reports an incident, then updates one of the last that were reported, in turn. */
function writerOf(post: ReturnType<typeof posterOf>): () => Promise<void> {
  const recent: number[] = []
  let turn = 0
  return async () => {
    turn += 1
    const target = turn % 2 === 0 ? recent[turn % recent.length] : undefined
    if (target !== undefined) {
      await post(`/incidents/${target}/updates`, { message: 'We are still looking.' })
      return
    }
    const { id } = await post('/incidents', { title: 'Payments fail for some', reminder_interval_minutes: 60 })
    recent.push(id)
    if (recent.length > KEPT) recent.shift()
  }
}

async function atRate(seconds: number, write: () => Promise<void>): Promise<void> {
  const started = performance.now()
  const writes: Promise<void>[] = []
  for (let n = 0; n < seconds * WRITES_PER_SECOND; n += 1) {
    await sleep(Math.max(0, started + (n * 1000) / WRITES_PER_SECOND - performance.now()))
    writes.push(write())
  }
  await Promise.all(writes)
}
