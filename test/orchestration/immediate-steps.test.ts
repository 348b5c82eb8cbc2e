import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { ProcessOfPage } from '../../src/domain/kernel/processes.ts'
import { startImmediateSteps } from '../../src/orchestration/immediate-steps.ts'
import { takeUnsent } from '../../src/persistence/system/wakeups.ts'
import { workflowIdOf } from '../../workflows/processes.ts'
import { openIncident, postUpdate, processOf, resolve, unread } from '../support/incidents.ts'
import { openTestProcesses, quietRuntime, settled, type TestProcesses } from '../support/processes.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

quietRuntime()

let processes: TestProcesses
let service: TestService
let offline: TestService
beforeAll(async () => {
  processes = await openTestProcesses()
  service = processes.service
  await processes.startWorker()
  offline = await openTestService()
})
afterAll(async () => {
  await processes?.close()
  await offline?.close()
})

const describe = (workflowId: string) =>
  processes.temporal.client.workflow
    .getHandle(workflowId)
    .describe()
    .catch(() => undefined)
/** Waits for the timer: after that the history of a workflow grows only by signals. */
const lengthOnceWaiting = async (workflowId: string) => {
  const handle = processes.temporal.client.workflow.getHandle(workflowId)
  const { events } = await until(
    () => handle.fetchHistory(),
    ({ events }) => Boolean(events?.at(-1)?.timerStartedEventAttributes),
  )
  return events!.length
}
const timerOf = async (workflowId: string) => {
  const sql = 'select timer_at, until from process where workflow_id = ?'
  const [row] = await service.services.system.em
    .fork()
    .execute<{ timer_at: string; until: string }[]>(sql, [workflowId])
  return row
}

test('the step of a woken process needs neither Temporal nor a worker', async () => {
  const taken: string[] = []
  const relayed: string[] = []
  const steps = startImmediateSteps({
    services: offline.services,
    takeStep: async (process) => {
      taken.push(workflowIdOf(process))
      return { needsTimer: process.id === 2 }
    },
    signal: { wakeProcesses: (processes) => relayed.push(...processes.map(workflowIdOf)) },
  })
  const [one, two] = [1, 2].map((id) => ({ kind: 'incident' as const, id, pageId: 1 })) as [
    ProcessOfPage,
    ProcessOfPage,
  ]
  steps.wakeProcesses([one, two, { kind: 'check', id: 3, pageId: 1 }, { ...one }])
  await until(
    () => [...taken, ...relayed],
    (seen) => seen.includes('incident:1') && seen.filter((one) => one === 'incident:2').length === 2,
  )
  await steps.close()
  expect(taken).toEqual(['incident:1', 'incident:2'])
  // The workflow of a check runs an errand between two steps, so only the workflow takes its steps.
  expect(relayed).toEqual(['check:3', 'incident:2'])
})

test('a process with nothing due later has no workflow', async () => {
  const { id, workflowId } = await openIncident(service)
  await settled(service)
  expect(await processOf(service, workflowId)).toMatchObject({ state: 'waiting', until: null })
  expect(await describe(workflowId)).toBeUndefined()
  await resolve(service, id)
})

test('the workflow is signalled for an earlier due moment, and keeps its timer for a later due moment', async () => {
  const { id, workflowId } = await openIncident(service, { reminder_interval_minutes: 60 })
  await settled(service)
  const first = (await timerOf(workflowId))!
  expect(first.timer_at).toBe(first.until)
  const before = await lengthOnceWaiting(workflowId)

  await postUpdate(service, id, { reminder_interval_minutes: 120 })
  await settled(service)
  const later = (await timerOf(workflowId))!
  expect(later.timer_at).toBe(first.timer_at)
  expect(new Date(later.until).getTime()).toBeGreaterThan(new Date(later.timer_at).getTime())
  expect((await describe(workflowId))!.historyLength).toBe(before)

  await postUpdate(service, id, { reminder_interval_minutes: 30 })
  await settled(service)
  const earlier = (await timerOf(workflowId))!
  expect(earlier.timer_at).toBe(earlier.until)
  expect((await describe(workflowId))!.historyLength).toBeGreaterThan(before)
  await resolve(service, id)
})

test('a step that fails here is left to the workflow, with its wake-up', async () => {
  const { workflowId } = await openIncident(offline)
  const [target] = offline.woken.splice(0) as [ProcessOfPage]
  let tries = 0
  const steps = startImmediateSteps({
    services: offline.services,
    takeStep: async () => {
      tries += 1
      throw new Error('the database is away')
    },
    signal: { wakeProcesses: () => {} },
  })
  steps.wakeProcesses([target])
  await until(
    () => tries,
    (count) => count === 1,
  )
  await steps.close()
  expect(await unread(offline, workflowId)).toBe(1)
})

test('the relay does not send a claimed wake-up, and sends the wake-up after the end of the claim', async () => {
  const { system } = offline.services
  const { workflowId } = await openIncident(offline)
  const [target] = offline.woken.splice(0) as [ProcessOfPage]
  const busy = Promise.withResolvers<{ needsTimer: boolean }>()
  let claimedUntil = 0
  const steps = startImmediateSteps({
    services: {
      ...offline.services,
      clock: () => {
        const now = new Date()
        claimedUntil = now.getTime() + 5000
        return now
      },
    },
    width: 1,
    claimEveryMs: 20,
    takeStep: () => busy.promise,
    signal: { wakeProcesses: () => {} },
  })
  steps.wakeProcesses([{ ...target, id: 999 }, target])
  const unsent = async (now: number) => (await takeUnsent(system, new Date(now), 100)).map((row) => row.workflow_id)
  const sendAt = async () => {
    const sql = 'select next_send_at from wakeup where workflow_id = ?'
    const [row] = await system.em.fork().execute<{ next_send_at: string }[]>(sql, [workflowId])
    return new Date(row!.next_send_at).getTime()
  }
  const first = await sendAt()
  // Each claim moves the moment at which the relay would send the wake-up.
  await until(sendAt, (moment) => moment > first + 500)
  busy.resolve({ needsTimer: false })
  await steps.close()
  const claimed = await sendAt()
  expect(claimed).toBeLessThanOrEqual(claimedUntil)
  expect(await unsent(claimed - 1)).not.toContain(workflowId)
  expect(await unsent(claimed)).toContain(workflowId)
})
