import { setTimeout as sleep } from 'node:timers/promises'
import { openTemporal } from '../src/orchestration/client.ts'
import type { BareChecks } from './support/bare-checks.ts'
import { clearBeats, seedBeats } from './support/beats.ts'
import { type BenchService, inBenchService, NAMESPACE, type Say } from './support/bench-service.ts'
import { type Bench, type Measured, openBench, SECONDS, WARM_UP_SECONDS } from './support/check-costs.ts'
import { databaseFacts } from './support/facts.ts'
import { memoryOf } from './support/memory-of.ts'
import type { Figure, Report } from './support/report.ts'
import { TEMPORAL_VERSION } from './support/temporal-tools.ts'

const PLAIN_BEATS = 300

/** What checks cost under leases, against a workflow for each beat and against none at all. */
export default function beats(say: Say): Promise<Report> {
  return inBenchService(say, async (service) => {
    const bench = await openBench(service, say)
    const api = await service.startApi({ TEMPORAL_ADDRESS: bench.address })
    const worker = await service.startWorker({ TEMPORAL_ADDRESS: bench.address })
    const leased: Measured[] = []
    await sleep(10_000)
    const before = memoryOf(worker.pid).megabytes
    let memory = 0
    for (const load of [
      { name: '4,000 of 30 s', beats: 4000, intervalSeconds: 30 },
      { name: '1,500 of 1 s', beats: 1500, intervalSeconds: 1 },
      { name: '3,000 of 1 s', beats: 3000, intervalSeconds: 1 },
    ]) {
      await seedBeats(service.database, load.beats, bench.url, load.intervalSeconds)
      leased.push(await bench.measure(load, [api.pid, worker.pid]))
      if (load.beats === 4000) memory = memoryOf(worker.pid).megabytes
      await clearBeats(service.database)
      await sleep(5000)
    }
    await worker.stop()
    await api.stop()
    const bare = await byBareLoop(service, bench, { beats: 1500, intervalSeconds: 1 })
    const bareThirty = await byBareLoop(service, bench, { beats: 4000, intervalSeconds: 30 })
    const plain = await byPlainWorkflow(service, bench)
    const [thirty, fifteen, three] = leased as [Measured, Measured, Measured]
    return {
      how: [
        `HTTP checks of a server on loopback, each over a connection of its own, for ${SECONDS} s after ${WARM_UP_SECONDS} s. A slot is kept when it has a result. CPU is that of the API, the worker, Temporal (server ${TEMPORAL_VERSION}) and PostgreSQL together, without the target's; WAL is all that PostgreSQL wrote, for Temporal too. Events are those that the histories of all checks grew by.`,
        `The bare loop is a process with a timer for each beat, the same checks and the same statement that stores them, but no stages, edits or successor. The plain workflow is a timer and an activity in turn, one workflow for each of ${PLAIN_BEATS} beats of 1 s, with a cache that holds all of them.`,
      ],
      figures: [
        {
          name: `lease, ${three.load.name}: slots kept`,
          value: three.share * 100,
          unit: '%',
          target: { atLeast: 99.9 },
        },
        {
          name: `lease, ${thirty.load.name}: slots kept`,
          value: thirty.share * 100,
          unit: '%',
          target: { atLeast: 99.9 },
        },
        {
          name: `lease, ${fifteen.load.name}: CPU for each check`,
          value: total(fifteen),
          unit: 'ms',
        },
        {
          name: `lease, ${thirty.load.name}: CPU for each check`,
          value: total(thirty),
          unit: 'ms',
        },
        against(bare, fifteen),
        against(bareThirty, thirty),
        {
          name: 'lease, most events for each check',
          value: Math.max(...leased.map(({ events }) => events)),
          unit: '',
          target: { atMost: 0.001 },
        },
        {
          name: 'memory of the worker for each of 4,000 beats',
          value: ((memory - before) * 1000) / 4000,
          unit: 'KB',
          target: { under: 60 },
        },
        ...leased.flatMap((one) => details('lease', one)),
        ...details('bare loop', bare),
        ...details('plain workflow', plain),
        ...details('bare loop', bareThirty),
        { name: 'CPU for each check, plain workflow against lease', value: total(plain) / total(fifteen), unit: '' },
      ],
      facts: await databaseFacts(service.database),
    }
  })
}

const total = ({ cpu: { ours, temporal, postgres } }: Measured) => ours + temporal + postgres

/** What stages, edits, leases and successors cost on top of the same checks. */
const against = (bare: Measured, lease: Measured): Figure => ({
  name: `${lease.load.name}: CPU for each check, lease against bare loop`,
  value: total(lease) / total(bare),
  unit: '',
  target: { atMost: 1.7 },
})

function details(who: string, { load, checks, share, latenessP99, cpu, walBytes, events }: Measured): Figure[] {
  const name = (what: string) => `${who}, ${load.name}: ${what}`
  return [
    { name: name('checks kept'), value: checks / SECONDS, unit: '/s' },
    ...(who === 'lease' ? [] : [{ name: name('slots kept'), value: share * 100, unit: '%' }]),
    // The plain workflow has no grid that it could be late for.
    ...(who === 'plain workflow' ? [] : [{ name: name('lateness, p99'), value: latenessP99, unit: 'ms' }]),
    { name: name('CPU in ours'), value: cpu.ours, unit: 'ms' },
    { name: name('CPU in Temporal'), value: cpu.temporal, unit: 'ms' },
    { name: name('CPU in PostgreSQL'), value: cpu.postgres, unit: 'ms' },
    { name: name('WAL for each check'), value: walBytes, unit: 'bytes' },
    { name: name('events for each check'), value: events, unit: '' },
  ]
}

async function byBareLoop(
  service: BenchService,
  { url, pageId, measure }: Bench,
  { beats, intervalSeconds }: { beats: number; intervalSeconds: number },
): Promise<Measured> {
  const ids = await seedBeats(service.database, beats, url, intervalSeconds)
  const bare = await service.start(new URL('./support/bare-checks.ts', import.meta.url))
  await bare.ask({ pageId, beats: ids, url, intervalMs: intervalSeconds * 1000 } satisfies BareChecks)
  const name = `${beats.toLocaleString('en')} of ${intervalSeconds} s`
  const measured = await measure({ name, beats, intervalSeconds }, [bare.pid])
  await bare.stop()
  await clearBeats(service.database)
  return measured
}

async function byPlainWorkflow(service: BenchService, { address, url, pageId, measure }: Bench): Promise<Measured> {
  const ids = await seedBeats(service.database, PLAIN_BEATS, url, 1)
  const env = { TEMPORAL_ADDRESS: address, URL: url, PAGE: String(pageId) }
  const plain = await service.start(new URL('./support/bare-plain.ts', import.meta.url), env)
  const temporal = openTemporal(address, NAMESPACE)
  for (const id of ids) {
    await temporal.client.workflow.start('plainBeat', {
      workflowId: `plain:${id}`,
      taskQueue: 'plain',
      args: [id, 1000],
    })
  }
  await temporal.close()
  const measured = await measure({ name: '300 of 1 s', beats: PLAIN_BEATS, intervalSeconds: 1 }, [plain.pid])
  await plain.stop()
  return measured
}
