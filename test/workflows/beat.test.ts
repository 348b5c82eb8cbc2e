import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { actingBeat, actionsOf, incidentsOf, insertGroup, lastOf, openly, see } from '../support/acting.ts'
import { processOf } from '../support/incidents.ts'
import { makeItem } from '../support/maintenances.ts'
import { openSkippingWorks, quietRuntime, type SkippingWorks, settled } from '../support/processes.ts'
import { storedBeat } from '../support/stored-beats.ts'

quietRuntime()

let works: SkippingWorks
let house: SkippingWorks['house']
beforeAll(async () => {
  works = await openSkippingWorks()
  house = works.house
})
afterAll(() => works?.close())

const fromNow = (minutes: number) => new Date(house.now.getTime() + minutes * 60_000)

test('a process acts on a stage change at once, and only once', async () => {
  const { id } = await actingBeat(house)
  await see(house, id, 'critical')
  await settled(house)
  expect(await incidentsOf(house, id)).toMatchObject([{ status: 'major_outage' }])
  await see(house, id, 'healthy')
  await settled(house)
  await works.pass('1 day')
  expect(await incidentsOf(house, id)).toMatchObject([{ status: 'resolved', updates: [{ is_resolution: true }] }])
})

test('a process acts on the present stage when the mute of its beat ends', async () => {
  const muted_until = fromNow(30)
  const { id } = await actingBeat(house, { muted_until })
  await see(house, id, 'critical')
  await settled(house)
  expect(await lastOf(house, id)).toMatchObject({
    because: `Waiting: the beat "pay-db-7 probe" (${id}) is muted until ${muted_until.toISOString()}`,
  })
  expect(await processOf(house, `beat:${id}`)).toMatchObject({ until: muted_until.toISOString() })
  await works.pass('29 minutes')
  expect(await actionsOf(house, id)).toEqual([])
  await works.pass('2 minutes')
  expect(await incidentsOf(house, id)).toHaveLength(1)
})

test('a process acts on a suppressed stage when the schedule completes the maintenance', async () => {
  const { id, item } = await actingBeat(house)
  await house.admin.post('/admin/maintenances', {
    ...{ title: 'Upgrade', affected_items: [{ id: item }, { id: await makeItem(house, 'Other') }] },
    ...{ scheduled_start_time: fromNow(10).toISOString(), scheduled_end_time: fromNow(60).toISOString() },
    auto_transition_enabled: true,
  })
  await works.pass('11 minutes')
  await see(house, id, 'critical')
  await works.pass('40 minutes')
  expect(await actionsOf(house, id)).toEqual([])
  await works.pass('10 minutes')
  expect(await incidentsOf(house, id)).toHaveLength(1)
})

test('flapping ends at its moment, and the process acts on the present stage', async () => {
  const threshold_policies = { flapping_rule: { changes: 2, within_minutes: 30 } }
  const { id } = await actingBeat(house, { threshold_policies })
  for (const stage of ['critical', 'healthy', 'warning'] as const) await see(house, id, stage)
  await settled(house)
  expect((await storedBeat(house, id)).flapping_since).not.toBeNull()
  await works.pass('31 minutes')
  expect(await storedBeat(house, id)).toMatchObject({ flapping_since: null, acted_stage: 'warning' })
  expect((await incidentsOf(house, id)).at(-1)).toMatchObject({ status: 'degraded' })
})

test('a group acts on the stages of its members when its own mute ends', async () => {
  const muted_until = fromNow(20)
  const beat_group_id = await insertGroup(house, { muted_until, action_policies: openly })
  const [first, second] = [await actingBeat(house, { beat_group_id }), await actingBeat(house, { beat_group_id })]
  for (const { id } of [first, second]) await see(house, id, 'critical')
  await works.pass('19 minutes')
  expect(await incidentsOf(house, beat_group_id, 'group')).toEqual([])
  await works.pass('2 minutes')
  const [told, ...more] = await incidentsOf(house, beat_group_id, 'group')
  expect(more).toEqual([])
  expect(told.affected_items).toHaveLength(2)
  for (const { id } of [first, second]) await see(house, id, 'healthy')
  await settled(house)
  expect(await incidentsOf(house, beat_group_id, 'group')).toMatchObject([{ status: 'resolved' }])
})
