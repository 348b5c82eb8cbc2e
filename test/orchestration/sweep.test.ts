import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { takeStep } from '../../src/domain/kernel/step.ts'
import { steps } from '../../src/domain/steps.ts'
import { openTemporal, type Temporal } from '../../src/orchestration/client.ts'
import { startSweep, wakeAllAtNewTemporal } from '../../src/orchestration/overdue-sweep.ts'
import { creationNote, openIncident, resolve } from '../support/incidents.ts'
import { testServers } from '../support/servers.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const reported = new Date('2026-03-02T09:00:00.000Z')
const minutes = (count: number) => new Date(reported.getTime() + count * 60_000)

let service: TestService
const temporals: Temporal[] = []
beforeAll(async () => {
  service = await openTestService({ frozenAt: reported })
})
afterAll(async () => {
  for (const temporal of temporals) await temporal.close()
  await service?.close()
})

/** A new Temporal database: the installation has not stored its id. */
function newTemporal(): Temporal {
  const temporal = openTemporal(testServers().temporalAddress, `test-${crypto.randomUUID()}`)
  temporals.push(temporal)
  return temporal
}

async function processAt(now: Date, body: object = {}) {
  service.now = now
  const incident = await openIncident(service, body)
  await look(incident.id, now)
  return incident
}

const look = (id: number, now: Date) =>
  takeStep(service.services, steps.incident, { kind: 'incident', pageId: service.page.id, id, now })

const options = (temporal: Temporal) => ({
  system: service.services.system,
  temporal,
  logger: service.services.logger,
  clock: service.services.clock,
})

async function sweepOnce(temporal: Temporal): Promise<void> {
  const sweep = startSweep(options(temporal))
  await sweep.now()
  await sweep.close()
}

/** The reasons of the wake-ups since the last call, by process. */
async function takeReasons(): Promise<[string, string][]> {
  const rows = await service.services.system.em
    .fork()
    .execute<{ workflow_id: string; reason: string }[]>('delete from wakeup returning workflow_id, reason')
  return rows.map((row): [string, string] => [row.workflow_id, row.reason]).sort()
}

test('a process whose due moment has passed is woken once, after some time', async () => {
  const temporal = newTemporal()
  await sweepOnce(temporal)
  const { workflowId } = await processAt(reported, { reminder_interval_minutes: 60 })
  await processAt(reported, { reminder_interval_minutes: 90 })
  await processAt(reported)
  await takeReasons()
  service.now = minutes(60)
  await sweepOnce(temporal)
  expect(await takeReasons()).toEqual([])
  service.now = minutes(61)
  await Promise.all([sweepOnce(temporal), sweepOnce(temporal), sweepOnce(temporal)])
  await sweepOnce(temporal)
  const reason = 'the sweep: the due moment had passed, or the workflow had no timer for the due moment'
  expect(await takeReasons()).toEqual([[workflowId, reason]])
})

test('with a new Temporal database every process with a due moment is woken, once for all concurrent sweeps', async () => {
  await sweepOnce(newTemporal())
  const waiting = await processAt(reported, { reminder_interval_minutes: 60 })
  const unread = await openIncident(service)
  const done = await openIncident(service)
  await resolve(service, done.id)
  await look(done.id, reported)
  const temporal = newTemporal()
  await Promise.all(Array.from({ length: 4 }, () => wakeAllAtNewTemporal(options(temporal))))
  await wakeAllAtNewTemporal(options(temporal))
  const reasons = await takeReasons()
  const lost = 'the sweep: the Temporal database is new and has no workflow of the process'
  expect(reasons.filter(([id]) => id === waiting.workflowId)).toEqual([[waiting.workflowId, lost]])
  expect(reasons.filter(([id]) => id === unread.workflowId)).toEqual([
    [unread.workflowId, creationNote(unread.id).replace('woken by ', '')],
  ])
  expect(reasons.filter(([id]) => id === done.workflowId)).toEqual([])
})

test('the sweep creates the namespace with a retention of thirty days', async () => {
  const temporal = newTemporal()
  await sweepOnce(temporal)
  const { config } = await temporal.client.workflowService.describeNamespace({ namespace: temporal.namespace })
  expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(30 * 24 * 60 * 60)
})

test('a process with a due moment and without a timer is woken', async () => {
  const now = minutes(2000)
  const lost = await processAt(now, { reminder_interval_minutes: 60 })
  const later = await processAt(now, { reminder_interval_minutes: 60 })
  const kept = await processAt(now, { reminder_interval_minutes: 60 })
  const set = (workflowId: string, timer: string) =>
    service.services.system.em
      .fork()
      .execute(`update process set timer_at = ${timer} where workflow_id = ?`, [workflowId])
  await set(lost.workflowId, 'null')
  await set(later.workflowId, `until + interval '1 minute'`)
  await takeReasons()
  const temporal = newTemporal()
  await wakeAllAtNewTemporal(options(temporal))
  await takeReasons()
  await set(kept.workflowId, 'until')
  await set(lost.workflowId, 'null')
  await set(later.workflowId, `until + interval '1 minute'`)
  await sweepOnce(temporal)
  const woken = (await takeReasons()).map(([workflowId]) => workflowId)
  expect(woken).toEqual(expect.arrayContaining([lost.workflowId, later.workflowId]))
  expect(woken).not.toContain(kept.workflowId)
})

/** Until a statement waits for the lock of the sweep. */
async function untilWaiting(): Promise<void> {
  const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`
  while ((await service.services.system.em.fork().execute(waiting)).length === 0) await sleep(10)
}

test.each([
  ['past', sweepOnce],
  ['unknown to a new Temporal database', (temporal: Temporal) => wakeAllAtNewTemporal(options(temporal))],
])(
  'a sweep that had to wait for the database records the time after that: due moments that are %s',
  async (_, sweep) => {
    await sweepOnce(newTemporal())
    const { workflowId } = await processAt(minutes(5000), { reminder_interval_minutes: 60 })
    await takeReasons()
    service.now = minutes(5061)
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
    const holding = service.services.system.em.fork().transactional(async (tx) => {
      await tx.execute(`select pg_advisory_xact_lock(hashtextextended('upbeat sweep', 0))`)
      locked()
      await isReleased
    })
    await isLocked
    const sweeping = sweep(newTemporal())
    await untilWaiting()
    service.now = minutes(5064)
    release()
    await Promise.all([holding, sweeping])
    const rows = await service.services.system.em
      .fork()
      .execute<{ created_at: Date }[]>('select created_at from wakeup where workflow_id = ?', [workflowId])
    expect(rows.map(({ created_at }) => new Date(created_at))).toEqual([minutes(5064)])
  },
)
