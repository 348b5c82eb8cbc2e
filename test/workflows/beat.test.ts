import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { actingBeat, actionsOf, incidentsOf, insertGroup, lastOf, openly, see } from '../support/acting.ts'
import { processOf } from '../support/incidents.ts'
import { makeItem } from '../support/maintenances.ts'
import { openSkippingProcesses, quietRuntime, type SkippingProcesses, settled } from '../support/processes.ts'
import { storedBeat } from '../support/stored-beats.ts'

quietRuntime()

let processes: SkippingProcesses
let service: SkippingProcesses['service']
beforeAll(async () => {
  processes = await openSkippingProcesses()
  service = processes.service
})
afterAll(() => processes?.close())

const fromNow = (minutes: number) => new Date(service.now.getTime() + minutes * 60_000)

test('a process acts on a stage change at once, and only once', async () => {
  const { id } = await actingBeat(service)
  await see(service, id, 'critical')
  await settled(service)
  expect(await incidentsOf(service, id)).toMatchObject([{ status: 'major_outage' }])
  await see(service, id, 'healthy')
  await settled(service)
  await processes.pass('1 day')
  expect(await incidentsOf(service, id)).toMatchObject([{ status: 'resolved', updates: [{ is_resolution: true }] }])
})

test('a process acts on the present stage when the mute of its beat ends', async () => {
  const muted_until = fromNow(30)
  const { id } = await actingBeat(service, { muted_until })
  await see(service, id, 'critical')
  await settled(service)
  expect(await lastOf(service, id)).toMatchObject({
    because: `Waiting: the beat "pay-db-7 probe" (${id}) is muted until ${muted_until.toISOString()}`,
  })
  expect(await processOf(service, `beat:${id}`)).toMatchObject({ until: muted_until.toISOString() })
  await processes.pass('29 minutes')
  expect(await actionsOf(service, id)).toEqual([])
  await processes.pass('2 minutes')
  expect(await incidentsOf(service, id)).toHaveLength(1)
})

test('a process acts on a suppressed stage when the schedule completes the maintenance', async () => {
  const { id, item } = await actingBeat(service)
  await service.admin.post('/admin/maintenances', {
    ...{ title: 'Upgrade', affected_items: [{ id: item }, { id: await makeItem(service, 'Other') }] },
    ...{ scheduled_start_time: fromNow(10).toISOString(), scheduled_end_time: fromNow(60).toISOString() },
    auto_transition_enabled: true,
  })
  await processes.pass('11 minutes')
  await see(service, id, 'critical')
  await processes.pass('40 minutes')
  expect(await actionsOf(service, id)).toEqual([])
  await processes.pass('10 minutes')
  expect(await incidentsOf(service, id)).toHaveLength(1)
})

test('flapping ends at its moment, and the process acts on the present stage', async () => {
  const threshold_policies = { flapping_rule: { changes: 2, within_minutes: 30 } }
  const { id } = await actingBeat(service, { threshold_policies })
  for (const stage of ['critical', 'healthy', 'warning'] as const) await see(service, id, stage)
  await settled(service)
  expect((await storedBeat(service, id)).flapping_since).not.toBeNull()
  await processes.pass('31 minutes')
  expect(await storedBeat(service, id)).toMatchObject({ flapping_since: null, acted_stage: 'warning' })
  expect((await incidentsOf(service, id)).at(-1)).toMatchObject({ status: 'degraded' })
})

test('a group acts on the stages of its members when its own mute ends', async () => {
  const muted_until = fromNow(20)
  const beat_group_id = await insertGroup(service, { muted_until, action_policies: openly })
  const [first, second] = [await actingBeat(service, { beat_group_id }), await actingBeat(service, { beat_group_id })]
  for (const { id } of [first, second]) await see(service, id, 'critical')
  await processes.pass('19 minutes')
  expect(await incidentsOf(service, beat_group_id, 'group')).toEqual([])
  await processes.pass('2 minutes')
  const [posted, ...more] = await incidentsOf(service, beat_group_id, 'group')
  expect(more).toEqual([])
  expect(posted.affected_items).toHaveLength(2)
  for (const { id } of [first, second]) await see(service, id, 'healthy')
  await settled(service)
  expect(await incidentsOf(service, beat_group_id, 'group')).toMatchObject([{ status: 'resolved' }])
})
