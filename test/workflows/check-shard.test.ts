import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { type Assigner, startAssigner } from '../../src/orchestration/shards.ts'
import { shardWorkflowId, stateQuery } from '../../workflows/contract.ts'
import { openTestProcesses, quietRuntime, type TestProcesses } from '../support/processes.ts'
import { changeBeats, insertBeats, openTarget } from '../support/shards.ts'
import { storedBeat } from '../support/stored-beats.ts'
import { until } from '../support/wait.ts'

quietRuntime()

let processes: TestProcesses
let target: Awaited<ReturnType<typeof openTarget>>
let assigner: Assigner
beforeAll(async () => {
  processes = await openTestProcesses()
  target = await openTarget()
  const { system, logger, clock } = processes.service.services
  await processes.startWorker()
  assigner = startAssigner({ system, temporal: processes.temporal, logger, clock, slots: 100 })
})
afterEach(async () => {
  await run(`update beat set enabled = false`)
  await assigner.everything()
})
afterAll(async () => {
  await assigner?.close()
  await processes?.close()
  target?.close()
})

const run = (sql: string) => processes.service.services.system.em.fork().execute<object[]>(sql)
const make = (count: number, path: string, more: Parameters<typeof insertBeats>[3] = {}) =>
  insertBeats(processes.service.services, processes.service.page.id, count, {
    target: { url: `${target.url}${path}` },
    ...more,
  })
const change = (id: number, set: string) => changeBeats(processes.service.services, [id], set)
const asked = (path: string) => target.asked.filter((one) => one.path === path).map(({ at }) => at)
const askedOften = (path: string, times: number) =>
  until(
    () => asked(path).length,
    (count) => count >= times,
  )
const handle = (region = 'local') => processes.temporal.client.workflow.getHandle(shardWorkflowId({ region, shard: 0 }))

test('a new beat is checked, and its first result sets its stage', async () => {
  const [id] = await make(1, '/new')
  await askedOften('/new', 3)
  const beat = await until(
    () => storedBeat(processes.service, id!),
    ({ current_stage }) => current_stage !== null,
  )
  expect(beat).toMatchObject({ current_stage: 'healthy', transition_number: 1 })
  expect(await (await handle().describe()).staticSummary()).toBe('Checks of shard 0 of the region local')
  expect(await handle().query(stateQuery)).toEqual({ done: false, says: 'a worker checks the beats under a lease' })
})

test('a change, a pause and a deletion of a beat reach the running lease without an event in the history', async () => {
  const [edited, paused, deleted] = await make(3, '/before')
  await askedOften('/before', 6)
  const events = async () => (await handle().describe()).historyLength
  const before = await events()
  await change(paused!, 'enabled = false')
  await run(`with gone as (delete from beat where id = ${deleted} returning id, page_id)
    insert into beat_change (page_id, beat_id, created_at) select page_id, id, now() from gone`)
  await change(edited!, `target = '${JSON.stringify({ url: `${target.url}/after` })}'`)
  await askedOften('/after', 2)
  const { length } = asked('/before')
  await askedOften('/after', 5)
  expect(asked('/before')).toHaveLength(length)
  expect(await events()).toBe(before)
})

test('a worker that shuts down passes its leases on at once, without an event in the history', async () => {
  await make(2, '/handed')
  await askedOften('/handed', 6)
  const before = await handle().describe()
  const pass = async () => {
    await processes.stopWorker()
    const { length } = asked('/handed')
    await processes.startWorker()
    await askedOften('/handed', length + 4)
    return handle().describe()
  }
  const isTimedOut = ({ raw }: typeof before) => Boolean(raw.pendingActivities?.[0]?.lastFailure?.timeoutFailureInfo)
  let after = await pass()
  // Before the heartbeat timeout, which can only be seen on a machine that is quick enough.
  for (let tries = 1; isTimedOut(after) && tries < 4; tries += 1) after = await pass()
  expect(isTimedOut(after)).toBe(false)
  expect([after.runId, after.historyLength]).toEqual([before.runId, before.historyLength])
})

test('the workflow of a shard without beats ends, and starts again with the next beat', async () => {
  const [id] = await make(1, '/first')
  await askedOften('/first', 2)
  await change(id!, 'enabled = false')
  await until(
    () => handle().describe(),
    ({ status }) => status.name === 'COMPLETED',
  )
  for (let round = 1; round <= 3; round += 1) {
    await change(id!, 'enabled = true')
    await askedOften('/first', asked('/first').length + 1)
    await change(id!, 'enabled = false')
  }
})

test('the workflow of a shard that Temporal has lost is started again', async () => {
  await make(1, '/lost')
  await askedOften('/lost', 1)
  await handle().terminate('a test')
  await assigner.everything()
  expect((await handle().describe()).status.name).toBe('RUNNING')
})

test('the beats of an unserved region get one note, and are checked when a worker starts', async () => {
  const [only, both] = [
    ...(await make(1, '/mars', { regions: ['mars'] })),
    ...(await make(1, '/both', { regions: ['mars', 'local'] })),
  ]
  await askedOften('/both', 1)
  const notes = () =>
    run(`select workflow_id, cause, message from process_note where cause like '%region%' order by id`)
  await until(notes, ({ length }) => length === 2)
  await until(
    () => handle('mars').query(stateQuery),
    (state) => (state as { says: string }).says === 'no worker in region mars',
  )
  expect(await storedBeat(processes.service, only!)).toMatchObject({
    ...{ current_stage: null, unknown_because: 'no worker in region mars', unknown_since: expect.any(Date) },
  })
  expect(await storedBeat(processes.service, both!)).toMatchObject({ current_stage: 'healthy', unknown_since: null })
  await processes.stopWorker()
  processes.service.services.regions.push('mars')
  await processes.startWorker()
  await until(
    () => storedBeat(processes.service, only!),
    ({ unknown_since }) => unknown_since === null,
  )
  expect(await storedBeat(processes.service, only!)).toMatchObject({ current_stage: 'healthy', unknown_because: null })
  expect(await notes()).toEqual([
    {
      ...{ workflow_id: `beat:${only}`, cause: 'all regions: no worker in region mars' },
      message: 'No region checks the beat (no worker in region mars). The stage is unknown.',
    },
    {
      ...{ workflow_id: `beat:${both}`, cause: 'region mars: no worker in region mars' },
      message: 'Region mars does not check the beat (no worker in region mars). The beat is still checked from local.',
    },
  ])
  await until(
    () => handle('mars').query(stateQuery),
    (state) => (state as { says: string }).says === 'a worker checks the beats under a lease',
  )
})
