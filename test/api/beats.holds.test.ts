import { describe, expect, test } from '@jest/globals'
import {
  actingBeat,
  actionsOf,
  bannersOf,
  goes,
  incidentsOf,
  lastOf,
  look,
  mapItems,
  openly,
  see,
  setFields,
} from '../support/acting.ts'
import { houseAt } from '../support/frozen-house.ts'
import type { House } from '../support/house.ts'
import { notesOf, processOf } from '../support/incidents.ts'
import { makeItem } from '../support/maintenances.ts'
import { insertBeat } from '../support/stored-beats.ts'

const begun = new Date('2026-03-02T09:00:00.000Z')
let house: House
houseAt(begun, (made) => {
  house = made
})

const at = (minutes: number) => new Date(begun.getTime() + minutes * 60_000)
const rungOf = (beatId: number) => house.rung.filter(({ kind, id }) => kind === 'beat' && id === beatId).length

/** Expects that the beat has neither posts nor banners. */
async function nothingDone(id: number) {
  expect(await incidentsOf(house, id)).toEqual([])
  expect(await actionsOf(house, id)).toEqual([])
  expect(await bannersOf(house, id)).toEqual([])
}

test.each([
  ['enabled = false', (name: string) => `${name} is disabled`],
  [
    "automation_paused = true, automation_pause_reason = 'We move'",
    (name: string) => `the automation of ${name} is paused: We move`,
  ],
  ['automation_paused = true', (name: string) => `the automation of ${name} is paused`],
  [`muted_until = '${at(10).toISOString()}'`, (name: string) => `${name} is muted until ${at(10).toISOString()}`],
])('a suppressed transition records the reason: %s', async (sql, becauseOf) => {
  const { id } = await actingBeat(house)
  const because = `Waiting: ${becauseOf(`the beat "pay-db-7 probe" (${id})`)}`
  await see(house, id, 'critical')
  await setFields(house, 'beat', id, sql)
  await look(house, 'beat', id)
  expect(await lastOf(house, id)).toEqual({ stage: 'critical', done: [], because })
  expect((await notesOf(house, `beat:${id}`)).at(-1)).toBe(`transition 2 to critical: ${because}`)
  await nothingDone(id)
})

test('a beat acts on its present stage when its mute ends', async () => {
  const { id } = await actingBeat(house, { muted_until: at(10) })
  await goes(house, id, 'critical', 'healthy', 'warning')
  await nothingDone(id)
  expect(await processOf(house, `beat:${id}`)).toMatchObject({ until: at(10).toISOString() })
  house.now = at(10)
  await look(house, 'beat', id)
  expect(await incidentsOf(house, id)).toMatchObject([{ status: 'degraded', initial_status: 'degraded', updates: [] }])
  expect(await processOf(house, `beat:${id}`)).toMatchObject({ waiting_for: 'a change of its stage' })
  await look(house, 'beat', id)
  expect(await incidentsOf(house, id)).toHaveLength(1)
})

const stagesTold = async (id: number) =>
  (await house.admin.get(`/admin/notifications?subject=beat:${id}&limit=100`)).body.notifications
    .filter(({ key }: { key: string }) => key === 'beat.stage_changed')
    .map(({ data }: { data: { to_stage: string } }) => data.to_stage)
    .reverse()

test('the end of a mute causes one notification of the present stage', async () => {
  const { id } = await actingBeat(house)
  await goes(house, id, 'warning')
  await setFields(house, 'beat', id, `muted_until = '${at(10).toISOString()}'`)
  await goes(house, id, 'healthy', 'critical')
  expect(await stagesTold(id)).toEqual(['warning'])
  house.now = at(10)
  for (let n = 0; n < 2; n += 1) await look(house, 'beat', id)
  expect(await stagesTold(id)).toEqual(['warning', 'critical'])
  await goes(house, id, 'healthy')
  expect(await stagesTold(id)).toEqual(['warning', 'critical', 'healthy'])
})

test('the end of a mute causes a notification even while the beat is suppressed for another reason', async () => {
  const { id } = await actingBeat(house, { muted_until: at(10), automation_paused: true })
  await goes(house, id, 'critical')
  expect(await stagesTold(id)).toEqual([])
  expect(await processOf(house, `beat:${id}`)).toMatchObject({ until: at(10).toISOString() })
  house.now = at(10)
  for (let n = 0; n < 2; n += 1) await look(house, 'beat', id)
  expect(await stagesTold(id)).toEqual(['critical'])
  await nothingDone(id)
  await setFields(house, 'beat', id, 'automation_paused = false')
  await look(house, 'beat', id)
  expect([await stagesTold(id), (await incidentsOf(house, id)).length]).toEqual([['critical'], 1])
})

test('a stage that has passed by the end of a mute causes no notification', async () => {
  const { id } = await actingBeat(house, { muted_until: at(10) })
  await goes(house, id, 'critical', 'healthy')
  house.now = at(11)
  await look(house, 'beat', id)
  await nothingDone(id)
  expect(await stagesTold(id)).toEqual([])
})

test('the incident of an outage that ends during a suppression is resolved after the suppression', async () => {
  const { id } = await actingBeat(house)
  await goes(house, id, 'critical')
  await setFields(house, 'beat', id, 'automation_paused = true')
  await goes(house, id, 'healthy')
  expect(await incidentsOf(house, id)).toMatchObject([{ resolved_at: null }])
  await setFields(house, 'beat', id, 'automation_paused = false')
  await look(house, 'beat', id)
  expect(await incidentsOf(house, id)).toMatchObject([{ status: 'resolved' }])
})

describe('a maintenance', () => {
  const path = '/admin/maintenances'
  async function maintain(items: number[], body: object = {}): Promise<number> {
    const affected_items = items.map((id) => ({ id }))
    const made = await house.admin.post(path, { title: 'Upgrade', status: 'in_progress', affected_items, ...body })
    return made.body.id
  }

  test('covers a beat while it affects all items of the beat, and the beat acts at its end', async () => {
    const { id, item } = await actingBeat(house)
    const window = { scheduled_start_time: at(0).toISOString(), scheduled_end_time: at(60).toISOString() }
    const maintenance = await maintain([item], window)
    await goes(house, id, 'critical')
    expect((await lastOf(house, id)).because).toBe(
      `Waiting: the maintenance "Upgrade" (${maintenance}) covers all items of the beat "pay-db-7 probe" (${id}), until ${window.scheduled_end_time}`,
    )
    await nothingDone(id)
    const rung = rungOf(id)
    await house.admin.post(`${path}/${maintenance}/complete`)
    expect(rungOf(id)).toBe(rung + 1)
    await look(house, 'beat', id)
    expect(await incidentsOf(house, id)).toHaveLength(1)
    expect(await notesOf(house, `beat:${id}`)).toContain(`woken by the end of maintenance "Upgrade" (${maintenance})`)
  })

  test('covers items below an affected item', async () => {
    const product = await makeItem(house, 'Shop')
    const service = await makeItem(house, 'Checkout', { parent_id: product, depth: 2 })
    const id = await insertBeat(house, { action_policies: openly })
    await mapItems(house, 'beat', id, [service])
    const maintenance = await maintain([product])
    await goes(house, id, 'critical')
    expect((await lastOf(house, id)).because).toContain(`the maintenance "Upgrade" (${maintenance}) covers`)
  })

  test('is not compared with deleted items', async () => {
    const { id, item } = await actingBeat(house)
    const gone = await makeItem(house, 'Gone')
    await mapItems(house, 'beat', id, [gone])
    await house.admin.del(`/admin/hierarchy/items/${gone}`)
    const maintenance = await maintain([item])
    await goes(house, id, 'critical')
    expect((await lastOf(house, id)).because).toContain(`the maintenance "Upgrade" (${maintenance}) covers`)
  })

  test('does not cover a beat with other items or without items, or before its start', async () => {
    const { id, item } = await actingBeat(house)
    await mapItems(house, 'beat', id, [await makeItem(house, 'Search')])
    await maintain([item])
    const internal = await insertBeat(house, { action_policies: openly, affected_items_freetext: 'the office' })
    const other = await actingBeat(house)
    await maintain([other.item], { status: 'scheduled' })
    for (const one of [id, internal, other.id]) {
      await goes(house, one, 'critical')
      expect((await lastOf(house, one)).because).toBeNull()
    }
  })

  test.each([
    ['is deleted', (id: number) => house.admin.del(`${path}/${id}`)],
    ['is cancelled', (id: number) => house.admin.post(`${path}/${id}/cancel`)],
    [
      'affects other items',
      async (id: number) =>
        house.admin.patch(`${path}/${id}`, { title: 'Less', affected_items: [{ id: await makeItem(house, 'Other') }] }),
    ],
  ])('that %s wakes the suppressed beats and groups only', async (_what, end) => {
    const { id, item } = await actingBeat(house)
    const { id: content } = await actingBeat(house)
    const maintenance = await maintain([item])
    await goes(house, id, 'critical')
    const before = [rungOf(id), rungOf(content)]
    await end(maintenance)
    expect([rungOf(id), rungOf(content)]).toEqual([before[0]! + 1, before[1]])
    await look(house, 'beat', id)
    expect(await incidentsOf(house, id)).toHaveLength(1)
  })
})
