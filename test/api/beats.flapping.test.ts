import { expect, test } from '@jest/globals'
import {
  actingBeat,
  actionsOf,
  bannersOf,
  goes,
  incidentsOf,
  lastOf,
  look,
  openly,
  see,
  setFields,
} from '../support/acting.ts'
import { houseAt } from '../support/frozen-house.ts'
import type { House } from '../support/house.ts'
import { processOf } from '../support/incidents.ts'
import { storedBeat } from '../support/stored-beats.ts'

const begun = new Date('2026-03-02T09:00:00.000Z')
let house: House
houseAt(begun, (made) => {
  house = made
})

const at = (minutes: number) => new Date(begun.getTime() + minutes * 60_000)

const flapping_rule = { changes: 3, within_minutes: 10 }
const change = async (id: number, count: number) => {
  for (let n = 0; n < count; n += 1) {
    house.now = new Date(house.now.getTime() + 1000)
    const { current_stage } = await storedBeat(house, id)
    await goes(house, id, current_stage === 'healthy' ? 'critical' : 'healthy')
  }
}

test('a flapping beat shows one banner, and acts on its present stage after the flapping', async () => {
  const { id } = await actingBeat(house, { threshold_policies: { flapping_rule } })
  await change(id, 3)
  expect((await storedBeat(house, id)).flapping_since).toBeNull()
  const told = await incidentsOf(house, id)
  expect(told).toMatchObject([{ status: 'resolved' }, { status: 'major_outage' }])
  await change(id, 6)
  expect(await incidentsOf(house, id)).toEqual(told)
  expect(await lastOf(house, id)).toEqual({
    ...{ stage: 'critical', done: [] },
    because: `Waiting: the beat "pay-db-7 probe" (${id}) is flapping: 9 changes in 10 minutes`,
  })
  expect((await storedBeat(house, id)).flapping_since).toEqual(new Date(begun.getTime() + 4000))
  const { body } = await house.admin.get(`/admin/banners?beat_id=${id}`)
  expect(body.total).toBe(3)
  expect(await bannersOf(house, id)).toEqual([
    '"pay-db-7 probe" is flapping: 4 changes in 10 minutes. Actions continue when the flapping ends.',
  ])
  await change(id, 1)
  const { until } = await processOf(house, `beat:${id}`)
  // The flapping ends once fewer changes are within ten minutes: the seventh change was after seven seconds.
  expect(until).toBe(new Date(at(10).getTime() + 7000).toISOString())
  house.now = new Date(until)
  await look(house, 'beat', id)
  expect(await storedBeat(house, id)).toMatchObject({ flapping_since: null, acted_stage: 'healthy' })
  expect(await bannersOf(house, id)).toEqual([])
  expect(await incidentsOf(house, id)).toMatchObject([{ id: told[0].id }, { id: told[1].id, status: 'resolved' }])
})

test('by default more than six changes in an hour are flapping', async () => {
  const { id } = await actingBeat(house)
  await change(id, 6)
  expect((await storedBeat(house, id)).flapping_since).toBeNull()
  await change(id, 1)
  expect((await storedBeat(house, id)).flapping_since).not.toBeNull()
})

test('flapping without a step in between causes one banner, too', async () => {
  const { id } = await actingBeat(house, { threshold_policies: { flapping_rule } })
  for (let n = 0; n < 9; n += 1) await see(house, id, n % 2 ? 'healthy' : 'critical')
  await look(house, 'beat', id)
  await nothingPosted(id)
  house.now = at(20)
  await look(house, 'beat', id)
  expect(await incidentsOf(house, id)).toHaveLength(1)
})

test('the banner of a stage is shown once again after the flapping if the stage is the same', async () => {
  const { id } = await actingBeat(house, { threshold_policies: { flapping_rule } })
  await change(id, 5)
  expect(await bannersOf(house, id)).toMatchObject([expect.stringContaining('is flapping')])
  // The banner of the flapping was dismissed; the banner of the stage follows at the end.
  const [banner] = (await house.admin.get(`/admin/banners?beat_id=${id}`)).body.banners
  await house.admin.post(`/admin/banners/${banner.id}/dismiss`)
  house.now = at(20)
  for (let n = 0; n < 2; n += 1) {
    await look(house, 'beat', id)
    expect(await bannersOf(house, id)).toEqual(['"pay-db-7 probe" is critical: 503 from db-7.internal'])
  }
  expect(await lastOf(house, id)).toEqual({ stage: 'critical', done: ['banner N shown'], because: null })
  expect(await storedBeat(house, id)).toMatchObject({ flapping_since: null, acted_stage: 'critical' })
  await change(id, 1)
  expect(await bannersOf(house, id)).toEqual([])
})

test('the banner of a stage is shown again if a mute lasts longer than the flapping', async () => {
  const { id } = await actingBeat(house, { threshold_policies: { flapping_rule } })
  await change(id, 5)
  await setFields(house, 'beat', id, `muted_until = '${at(30).toISOString()}'`)
  house.now = at(20)
  await look(house, 'beat', id)
  expect(await bannersOf(house, id)).toEqual([])
  house.now = at(30)
  await look(house, 'beat', id)
  expect(await bannersOf(house, id)).toHaveLength(1)
})

test('a policy without banners shows no banner after the flapping', async () => {
  const critical = { public_post: true, public_post_mode: 'automatic' }
  const { id } = await actingBeat(house, {
    ...{ threshold_policies: { flapping_rule }, action_policies: { ...openly, critical } },
  })
  await change(id, 5)
  house.now = at(20)
  await look(house, 'beat', id)
  expect(await bannersOf(house, id)).toEqual([])
})

async function nothingPosted(id: number) {
  expect(await actionsOf(house, id)).toEqual([])
  expect(await bannersOf(house, id)).toHaveLength(1)
}
