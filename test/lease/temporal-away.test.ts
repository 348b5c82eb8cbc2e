import { afterAll, beforeAll, test } from '@jest/globals'
import { type Assigner, startAssigner } from '../../src/orchestration/shards.ts'
import { openTestProcesses, quietRuntime, type TestProcesses } from '../support/processes.ts'
import { insertBeats, openTarget, storedResults } from '../support/shards.ts'
import { type OwnTemporal, ownTemporal } from '../support/temporal.ts'
import { until } from '../support/wait.ts'

quietRuntime()

/** The options of the workflow of a shard. */
const HEARTBEAT_TIMEOUT_MS = 10_000

let server: OwnTemporal
let processes: TestProcesses
let assigner: Assigner
let target: Awaited<ReturnType<typeof openTarget>>
beforeAll(async () => {
  server = await ownTemporal()
  processes = await openTestProcesses({ address: server.address })
  target = await openTarget()
  assigner = startAssigner({
    ...processes.service.services,
    temporal: processes.temporal,
    slots: 100,
    everythingEveryMs: 2000,
  })
  await processes.startWorker()
})
afterAll(async () => {
  await assigner?.close()
  await processes?.close()
  await server?.close()
  target?.close()
})

const make = () =>
  insertBeats(processes.service.services, processes.service.page.id, 1, { target: { url: target.url } })
const more = (count: number) => {
  const { length } = target.asked
  return until(
    () => target.asked.length,
    (now) => now >= length + count,
  )
}
/** The checks that began at least this long after now. */
const askedAfter = (ms: number) => {
  const from = Date.now() + ms
  return until(
    () => target.asked.at(-1)?.at ?? 0,
    (at) => at > from,
  )
}

test('checks continue while Temporal is away for longer than the heartbeat timeout, and after Temporal has lost all data', async () => {
  await make()
  await more(3)
  await server.stop()
  await askedAfter(HEARTBEAT_TIMEOUT_MS + 3000)
  await server.start()
  await more(8)
  await server.forget()
  await server.start()
  await more(8)
  // The process that gets the new lease already holds the shard: no slot is checked twice, and each slot has one result.
  await until(
    async () => ({ asked: target.asked.length, stored: (await storedResults(processes.service.services)).length }),
    ({ asked, stored }) => asked === stored,
  )
})

test('beats that are created while Temporal is away are checked after its return', async () => {
  await processes.stopWorker()
  await server.stop()
  const { length } = target.asked
  await make()
  await server.start()
  await processes.startWorker()
  await until(
    () => target.asked.length,
    (now) => now >= length + 6,
  )
})
