import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import type { Temporal } from '../../src/orchestration/client.ts'
import { startRelay } from '../../src/orchestration/relay.ts'
import { markSent, takeUnsent } from '../../src/persistence/system/wakeups.ts'
import { administer } from '../support/administrator.ts'
import { openIncident, postUpdate, processOf, unread } from '../support/incidents.ts'
import { openTestProcesses, quietRuntime, settled, type TestProcesses } from '../support/processes.ts'
import { type OwnTemporal, ownTemporal } from '../support/temporal.ts'
import { openTestService, type TestService, type TestServiceOptions } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

quietRuntime()

let server: OwnTemporal
let processes: TestProcesses
let service: TestProcesses['service']
beforeAll(async () => {
  server = await ownTemporal()
  processes = await openTestProcesses({ address: server.address, immediate: false })
  service = processes.service
  await processes.startWorker()
})
const others: TestService[] = []
/** A test service without a relay: the test starts a relay if the test needs one. */
async function openServiceWithoutRelay(options: TestServiceOptions = {}): Promise<TestService> {
  const other = await openTestService(options)
  others.push(other)
  return other
}
afterEach(() => server.thaw())
afterAll(async () => {
  for (const other of others) await other.close()
  await processes?.close()
  await server?.close()
})

const query = <T extends object>(sql: string, params: unknown[] = []) =>
  service.services.system.em.fork().execute<T[]>(sql, params)

test('while Temporal is stopped writes succeed, and their processes take steps after its return', async () => {
  await server.stop()
  const incidents: string[] = []
  for (let count = 0; count < 20; count += 1) incidents.push((await openIncident(service)).workflowId)
  expect(await processOf(service, incidents[0]!)).toMatchObject({ state: 'running' })
  await server.start()
  await settled(service)
  for (const workflowId of incidents) expect(await processOf(service, workflowId)).toMatchObject({ state: 'waiting' })
})

test('while Temporal hangs no row is locked and no transaction is open', async () => {
  const { id, workflowId } = await openIncident(service)
  await settled(service)
  server.freeze()
  for (let count = 0; count < 3; count += 1) expect((await postUpdate(service, id)).status).toBe(201)
  await until(
    () =>
      administer(
        service,
        `select a.state, a.query, l.mode from pg_stat_activity a left join pg_locks l on l.pid = a.pid and l.locktype <> 'virtualxid'
          where a.datname = current_database() and a.pid <> pg_backend_pid() and a.application_name = 'upbeat-test'
            and (a.state <> 'idle' or l.pid is not null)`,
      ),
    (held) => held.length === 0,
  )
  await query('select id from wakeup where workflow_id = ? for update nowait', [workflowId])
  server.thaw()
  await settled(service)
})

test('a wake-up of an unknown kind of process does not stop the wake-ups of others', async () => {
  const quiet = await openServiceWithoutRelay()
  const { system, logger } = quiet.services
  const [known, unknown] = [await openIncident(quiet), await openIncident(quiet)]
  const renamed = `update wakeup set workflow_id = 'unknown:1' where workflow_id = ?`
  await system.em.fork().execute(renamed, [unknown.workflowId])
  const signalled: string[] = []
  const workflow = {
    signalWithStart: async (_type: string, options: { workflowId: string }) => signalled.push(options.workflowId),
  }
  const client = { withDeadline: (_deadline: number, call: () => Promise<unknown>) => call(), workflow }
  const temporal = { client, reachable: async () => true } as unknown as Temporal
  const clock = () => new Date(Date.now() + 10_000)
  let failures = 0
  const relay = startRelay({ system, temporal, logger, clock, scanEveryMs: 20, onFailure: () => void failures++ })
  await until(
    () => signalled,
    ({ length }) => length > 0,
  )
  await relay.close()
  expect([new Set(signalled), failures]).toEqual([new Set([known.workflowId]), 0])
})

/** A Temporal whose signals are answered when the test says so. */
function slowTemporal() {
  const open: { workflowId: string; answer: () => void }[] = []
  const signalled: string[] = []
  const workflow = {
    signalWithStart: (_type: string, { workflowId }: { workflowId: string }) => {
      signalled.push(workflowId)
      return new Promise<void>((answer) => open.push({ workflowId, answer }))
    },
  }
  const client = { withDeadline: (_deadline: number, call: () => Promise<unknown>) => call(), workflow }
  const temporal = { client, reachable: async () => true } as unknown as Temporal
  const answerAll = () => {
    for (const { answer } of open.splice(0)) answer()
  }
  return { temporal, open, signalled, answerAll }
}

test('thousands of mails delay no other process, neither from this process nor from the database', async () => {
  const quiet = await openServiceWithoutRelay()
  const { system, logger, clock } = quiet.services
  const { temporal, open, signalled, answerAll } = slowTemporal()
  const relay = startRelay({ system, temporal, logger, clock, scanEveryMs: 20 })
  const pageId = quiet.page.id
  relay.wakeProcesses(Array.from({ length: 3000 }, (_, id) => ({ kind: 'notification', id: id + 1, pageId })))
  // Half of the signals that may be in flight are left for others.
  expect(open).toHaveLength(8)
  relay.wakeProcesses([{ kind: 'incident', id: 1, pageId }])
  expect(signalled.at(-1)).toBe('incident:1')
  await system.em.fork().execute(
    `insert into wakeup (page_id, workflow_id, reason, created_at, attempts, next_send_at)
      select ?, 'notification:' || (10000 + n), '', now(), 0, now() - interval '1 minute' from generate_series(1, 3000) n`,
    [pageId],
  )
  await system.em.fork().execute(
    `insert into wakeup (page_id, workflow_id, reason, created_at, attempts, next_send_at)
      values (?, 'maintenance:7', '', now(), 0, now() - interval '1 second')`,
    [pageId],
  )
  await until(
    () => signalled,
    (ids) => ids.includes('maintenance:7'),
  )
  expect(signalled.filter((id) => id.startsWith('notification:'))).toHaveLength(8)
  const closed = relay.close()
  answerAll()
  await closed
})

test('a signal without an answer ends at its deadline and is counted', async () => {
  const quiet = await openServiceWithoutRelay()
  let failures = 0
  const { services } = quiet
  server.freeze()
  const relay = startRelay({
    system: services.system,
    temporal: processes.temporal,
    logger: services.logger,
    clock: services.clock,
    onFailure: () => {
      failures += 1
    },
  })
  relay.wakeProcesses([{ kind: 'incident', id: 1, pageId: quiet.page.id }])
  await until(
    () => failures,
    (count) => count === 1,
  )
  await relay.close()
})

test('many wake-ups of one process cause a few signals, one after the other', async () => {
  const { id, workflowId } = await openIncident(service)
  await settled(service)
  server.freeze()
  await Promise.all(Array.from({ length: 50 }, () => postUpdate(service, id)))
  // A step that the worker had begun before may have read the first few.
  expect(await unread(service, workflowId)).toBeGreaterThan(25)
  server.thaw()
  await settled(service)
  const { events } = await processes.temporal.client.workflow.getHandle(workflowId).fetchHistory()
  const signals = events?.filter((event) => event.workflowExecutionSignaledEventAttributes).length
  expect(signals).toBeLessThan(50 / 4)
})

test('a wake-up that no step reads is sent again after 1, 2, 4 … and at most 64 s', async () => {
  const deaf = await openServiceWithoutRelay({ frozenAt: new Date('2026-03-02T09:00:00.000Z') })
  const { system, clock } = deaf.services
  await openIncident(deaf)
  const pauses: number[] = []
  deaf.now = new Date(clock().getTime() + 1000)
  for (let attempt = 1; attempt <= 8; attempt += 1) {
    expect(await takeUnsent(system, new Date(clock().getTime() - 1), 10)).toEqual([])
    expect(await takeUnsent(system, clock(), 10)).toHaveLength(1)
    const [row] = await system.em.fork().execute<{ next: string }[]>('select next_send_at as next from wakeup')
    pauses.push((Date.parse(row!.next) - clock().getTime()) / 1000)
    deaf.now = new Date(row!.next)
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 64])
})

test('the scan of another process sends the wake-ups of a killed process', async () => {
  await processes.relay.close()
  const { workflowId } = await openIncident(service)
  expect(await unread(service, workflowId)).toBe(1)
  const { system, logger, clock } = service.services
  const another = startRelay({ system, temporal: processes.temporal, logger, clock })
  await settled(service)
  expect(await processOf(service, workflowId)).toMatchObject({ state: 'waiting' })
  await another.close()
})

test('a sent wake-up is sent again later if more wake-ups wait', async () => {
  const quiet = await openServiceWithoutRelay({ frozenAt: new Date('2026-11-21T10:00:00.000Z') })
  const { system, clock } = quiet.services
  const waits = async (workflowId: string) => {
    await markSent(system, [workflowId], new Date(clock().getTime() + 1000))
    const [row] = await system.em
      .fork()
      .execute<{ wait: number }[]>(
        'select extract(epoch from next_send_at - sent_at)::float8 as wait from wakeup where workflow_id = ?',
        [workflowId],
      )
    return row!.wait
  }
  const { workflowId } = await openIncident(quiet)
  expect(await waits(workflowId)).toBeCloseTo(2.025)
  for (let count = 0; count < 39; count += 1) await openIncident(quiet)
  expect(await waits(workflowId)).toBeCloseTo(3)
})
