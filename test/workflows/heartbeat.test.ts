import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { beatConfigChanged } from '../../src/domain/beats/changes/config-changed.ts'
import { Beat } from '../../src/persistence/entities/beat.ts'
import { processOf } from '../support/incidents.ts'
import { openSkippingProcesses, quietRuntime, type SkippingProcesses, settled } from '../support/processes.ts'
import {
  type BeatFields,
  inPage,
  insertHeartbeat,
  stagesOf,
  storedBeat,
  transitionsOf,
} from '../support/stored-beats.ts'

quietRuntime()

let processes: SkippingProcesses
let service: SkippingProcesses['service']
beforeAll(async () => {
  processes = await openSkippingProcesses()
  service = processes.service
})
afterAll(() => processes?.close())

async function make(target: object, fields: BeatFields = {}) {
  const made = await insertHeartbeat(service, target, fields)
  await inPage(service, async (work) =>
    beatConfigChanged(work, await work.tx.findOneOrFail(Beat, { id: made.id }), 'its creation'),
  )
  await settled(service)
  return made
}
const call = (path: string) => service.as(undefined).get(path)
const stageOf = async (id: number) => (await storedBeat(service, id)).current_stage

test('a daily call is missed once, an hour after its moment, and a late call makes the beat healthy', async () => {
  const { id, path } = await make({ period_seconds: 86_400, grace_seconds: 3600 })
  await call(path)
  await processes.pass('24 hours')
  expect(await stageOf(id)).toBe('healthy')
  await processes.pass('2 hours')
  expect(await stagesOf(service, id)).toEqual(['null -> healthy', 'healthy -> critical'])
  await processes.pass('10 hours')
  expect(await stagesOf(service, id)).toHaveLength(2)
  await call(path)
  await settled(service)
  expect(await stageOf(id)).toBe('healthy')
  await processes.pass('24 hours')
  expect(await stagesOf(service, id)).toHaveLength(3)
  await processes.pass('2 hours')
  expect(await stageOf(id)).toBe('critical')
})

test('calls in time cause no transition for days, and the process waits for the next call', async () => {
  const { id, path } = await make({ period_seconds: 86_400, grace_seconds: 600 })
  for (let day = 0; day < 5; day += 1) {
    await call(path)
    await processes.pass('23 hours')
  }
  expect(await stagesOf(service, id)).toEqual(['null -> healthy'])
  const { waiting_for } = await processOf(service, `beat:${id}`)
  expect(waiting_for).toMatch(/^the call that is due by 20/)
})

test('the first call can be missed', async () => {
  const { id } = await make({ period_seconds: 3600 })
  await processes.pass('61 minutes')
  expect(await transitionsOf(service, id)).toMatchObject([
    { from_stage: null, to_stage: 'critical', evidence: expect.stringContaining('No call has ever arrived.') },
  ])
})

test('a rule that counts failures waits for that many due moments', async () => {
  const rules = { critical_rule: { consecutive_failures: 3 } }
  const { id } = await make({ cron: '0 * * * *', grace_seconds: 60 }, { threshold_policies: rules })
  await processes.pass('2 hours')
  expect(await stageOf(id)).toBeNull()
  await processes.pass('2 hours')
  expect(await stagesOf(service, id)).toEqual(['null -> critical'])
})
