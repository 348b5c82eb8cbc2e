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
import { serviceAt } from '../support/frozen-service.ts'
import { processOf } from '../support/incidents.ts'
import { storedBeat } from '../support/stored-beats.ts'
import type { TestService } from '../support/test-service.ts'

const begun = new Date('2026-03-02T09:00:00.000Z')
let service: TestService
serviceAt(begun, (made) => {
  service = made
})

const at = (minutes: number) => new Date(begun.getTime() + minutes * 60_000)

const flapping_rule = { changes: 3, within_minutes: 10 }
const change = async (id: number, count: number) => {
  for (let n = 0; n < count; n += 1) {
    service.now = new Date(service.now.getTime() + 1000)
    const { current_stage } = await storedBeat(service, id)
    await goes(service, id, current_stage === 'healthy' ? 'critical' : 'healthy')
  }
}

test('a flapping beat shows one banner, and acts on its present stage after the flapping', async () => {
  const { id } = await actingBeat(service, { threshold_policies: { flapping_rule } })
  await change(id, 3)
  expect((await storedBeat(service, id)).flapping_since).toBeNull()
  const posted = await incidentsOf(service, id)
  expect(posted).toMatchObject([{ status: 'resolved' }, { status: 'major_outage' }])
  await change(id, 6)
  expect(await incidentsOf(service, id)).toEqual(posted)
  expect(await lastOf(service, id)).toEqual({
    ...{ stage: 'critical', done: [] },
    because: `Waiting: the beat "pay-db-7 probe" (${id}) is flapping: 9 changes in 10 minutes`,
  })
  expect((await storedBeat(service, id)).flapping_since).toEqual(new Date(begun.getTime() + 4000))
  const { body } = await service.admin.get(`/admin/banners?beat_id=${id}`)
  expect(body.total).toBe(3)
  expect(await bannersOf(service, id)).toEqual([
    '"pay-db-7 probe" is flapping: 4 changes in 10 minutes. Actions continue when the flapping ends.',
  ])
  await change(id, 1)
  const { until } = await processOf(service, `beat:${id}`)
  // The flapping ends once fewer changes are within ten minutes: the seventh change was after seven seconds.
  expect(until).toBe(new Date(at(10).getTime() + 7000).toISOString())
  service.now = new Date(until)
  await look(service, 'beat', id)
  expect(await storedBeat(service, id)).toMatchObject({ flapping_since: null, acted_stage: 'healthy' })
  expect(await bannersOf(service, id)).toEqual([])
  expect(await incidentsOf(service, id)).toMatchObject([{ id: posted[0].id }, { id: posted[1].id, status: 'resolved' }])
})

test('by default more than six changes in an hour are flapping', async () => {
  const { id } = await actingBeat(service)
  await change(id, 6)
  expect((await storedBeat(service, id)).flapping_since).toBeNull()
  await change(id, 1)
  expect((await storedBeat(service, id)).flapping_since).not.toBeNull()
})

test('flapping without a step in between causes one banner, too', async () => {
  const { id } = await actingBeat(service, { threshold_policies: { flapping_rule } })
  for (let n = 0; n < 9; n += 1) await see(service, id, n % 2 ? 'healthy' : 'critical')
  await look(service, 'beat', id)
  await nothingPosted(id)
  service.now = at(20)
  await look(service, 'beat', id)
  expect(await incidentsOf(service, id)).toHaveLength(1)
})

test('the banner of a stage is shown once again after the flapping if the stage is the same', async () => {
  const { id } = await actingBeat(service, { threshold_policies: { flapping_rule } })
  await change(id, 5)
  expect(await bannersOf(service, id)).toMatchObject([expect.stringContaining('is flapping')])
  // The banner of the flapping was dismissed; the banner of the stage follows at the end.
  const [banner] = (await service.admin.get(`/admin/banners?beat_id=${id}`)).body.banners
  await service.admin.post(`/admin/banners/${banner.id}/dismiss`)
  service.now = at(20)
  for (let n = 0; n < 2; n += 1) {
    await look(service, 'beat', id)
    expect(await bannersOf(service, id)).toEqual(['"pay-db-7 probe" is critical: 503 from db-7.internal'])
  }
  expect(await lastOf(service, id)).toEqual({ stage: 'critical', done: ['banner N shown'], because: null })
  expect(await storedBeat(service, id)).toMatchObject({ flapping_since: null, acted_stage: 'critical' })
  await change(id, 1)
  expect(await bannersOf(service, id)).toEqual([])
})

test('the banner of a stage is shown again if a mute lasts longer than the flapping', async () => {
  const { id } = await actingBeat(service, { threshold_policies: { flapping_rule } })
  await change(id, 5)
  await setFields(service, 'beat', id, `muted_until = '${at(30).toISOString()}'`)
  service.now = at(20)
  await look(service, 'beat', id)
  expect(await bannersOf(service, id)).toEqual([])
  service.now = at(30)
  await look(service, 'beat', id)
  expect(await bannersOf(service, id)).toHaveLength(1)
})

test('a policy without banners shows no banner after the flapping', async () => {
  const critical = { public_post: true, public_post_mode: 'automatic' }
  const { id } = await actingBeat(service, {
    ...{ threshold_policies: { flapping_rule }, action_policies: { ...openly, critical } },
  })
  await change(id, 5)
  service.now = at(20)
  await look(service, 'beat', id)
  expect(await bannersOf(service, id)).toEqual([])
})

async function nothingPosted(id: number) {
  expect(await actionsOf(service, id)).toEqual([])
  expect(await bannersOf(service, id)).toHaveLength(1)
}
