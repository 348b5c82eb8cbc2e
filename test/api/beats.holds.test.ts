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
import { serviceAt } from '../support/frozen-service.ts'
import { notesOf, processOf } from '../support/incidents.ts'
import { makeItem } from '../support/maintenances.ts'
import { insertBeat, insertHeartbeat } from '../support/stored-beats.ts'
import type { TestService } from '../support/test-service.ts'

const begun = new Date('2026-03-02T09:00:00.000Z')
let service: TestService
serviceAt(begun, (made) => {
  service = made
})

const at = (minutes: number) => new Date(begun.getTime() + minutes * 60_000)
const timesWoken = (beatId: number) => service.woken.filter(({ kind, id }) => kind === 'beat' && id === beatId).length

/** Expects that the beat has neither posts nor banners. */
async function nothingDone(id: number) {
  expect(await incidentsOf(service, id)).toEqual([])
  expect(await actionsOf(service, id)).toEqual([])
  expect(await bannersOf(service, id)).toEqual([])
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
  const { id } = await actingBeat(service)
  const because = `Waiting: ${becauseOf(`the beat "pay-db-7 probe" (${id})`)}`
  await see(service, id, 'critical')
  await setFields(service, 'beat', id, sql)
  await look(service, 'beat', id)
  expect(await lastOf(service, id)).toEqual({ stage: 'critical', done: [], because })
  expect((await notesOf(service, `beat:${id}`)).at(-1)).toBe(`transition 2 to critical: ${because}`)
  await nothingDone(id)
})

test('a beat acts on its present stage when its mute ends', async () => {
  const { id } = await actingBeat(service, { muted_until: at(10) })
  await goes(service, id, 'critical', 'healthy', 'warning')
  await nothingDone(id)
  expect(await processOf(service, `beat:${id}`)).toMatchObject({ until: at(10).toISOString() })
  service.now = at(10)
  await look(service, 'beat', id)
  expect(await incidentsOf(service, id)).toMatchObject([
    { status: 'degraded', initial_status: 'degraded', updates: [] },
  ])
  expect(await processOf(service, `beat:${id}`)).toMatchObject({ waiting_for: 'a change of its stage' })
  await look(service, 'beat', id)
  expect(await incidentsOf(service, id)).toHaveLength(1)
})

const stagesNotified = async (id: number) =>
  (await service.admin.get(`/admin/notifications?subject=beat:${id}&limit=100`)).body.notifications
    .filter(({ key, withheld }: { key: string; withheld?: string }) => key === 'beat.stage_changed' && !withheld)
    .map(({ data }: { data: { to_stage: string } }) => data.to_stage)
    .reverse()

test('the end of a mute causes one notification of the present stage', async () => {
  const { id } = await actingBeat(service)
  await goes(service, id, 'warning')
  await setFields(service, 'beat', id, `muted_until = '${at(10).toISOString()}'`)
  await goes(service, id, 'healthy', 'critical')
  expect(await stagesNotified(id)).toEqual(['warning'])
  const { body } = await service.admin.get(`/admin/notifications?subject=beat:${id}&withheld=true`)
  const muted = { key: 'beat.stage_changed', withheld: 'beat_muted', state: 'no_recipient' }
  expect(body.notifications.filter(({ withheld }: { withheld?: string }) => withheld)).toMatchObject([
    { ...muted, data: { to_stage: 'critical' } },
    { ...muted, data: { to_stage: 'healthy' } },
  ])
  service.now = at(10)
  for (let n = 0; n < 2; n += 1) await look(service, 'beat', id)
  expect(await stagesNotified(id)).toEqual(['warning', 'critical'])
  await goes(service, id, 'healthy')
  expect(await stagesNotified(id)).toEqual(['warning', 'critical', 'healthy'])
})

test('the end of a mute causes a notification even while the beat is suppressed for another reason', async () => {
  const { id } = await actingBeat(service, { muted_until: at(10), automation_paused: true })
  await goes(service, id, 'critical')
  expect(await stagesNotified(id)).toEqual([])
  expect(await processOf(service, `beat:${id}`)).toMatchObject({ until: at(10).toISOString() })
  service.now = at(10)
  for (let n = 0; n < 2; n += 1) await look(service, 'beat', id)
  expect(await stagesNotified(id)).toEqual(['critical'])
  await nothingDone(id)
  await setFields(service, 'beat', id, 'automation_paused = false')
  await look(service, 'beat', id)
  expect([await stagesNotified(id), (await incidentsOf(service, id)).length]).toEqual([['critical'], 1])
})

test('a suppressed heartbeat waits for its next call and for the end of the suppression', async () => {
  const { id, path } = await insertHeartbeat(service, { period_seconds: 30, grace_seconds: 5 })
  await setFields(service, 'beat', id, 'automation_paused = true')
  await service.as(undefined).get(path)
  await look(service, 'beat', id)
  expect((await processOf(service, `beat:${id}`)).waiting_for).toMatch(
    /^the call that is due by \S+; the end of the suppression: the automation of the beat .* is paused$/,
  )
})

test('a stage that has passed by the end of a mute causes no notification', async () => {
  const { id } = await actingBeat(service, { muted_until: at(10) })
  await goes(service, id, 'critical', 'healthy')
  service.now = at(11)
  await look(service, 'beat', id)
  await nothingDone(id)
  expect(await stagesNotified(id)).toEqual([])
})

test('the incident of an outage that ends during a suppression is resolved after the suppression', async () => {
  const { id } = await actingBeat(service)
  await goes(service, id, 'critical')
  await setFields(service, 'beat', id, 'automation_paused = true')
  await goes(service, id, 'healthy')
  expect(await incidentsOf(service, id)).toMatchObject([{ resolved_at: null }])
  await setFields(service, 'beat', id, 'automation_paused = false')
  await look(service, 'beat', id)
  expect(await incidentsOf(service, id)).toMatchObject([{ status: 'resolved' }])
})

describe('a maintenance', () => {
  const path = '/admin/maintenances'
  async function maintain(items: number[], body: object = {}): Promise<number> {
    const affected_items = items.map((id) => ({ id }))
    const made = await service.admin.post(path, { title: 'Upgrade', status: 'in_progress', affected_items, ...body })
    return made.body.id
  }

  test('covers a beat while it affects all items of the beat, and the beat acts at its end', async () => {
    const { id, item } = await actingBeat(service)
    const window = { scheduled_start_time: at(0).toISOString(), scheduled_end_time: at(60).toISOString() }
    const maintenance = await maintain([item], window)
    await goes(service, id, 'critical')
    expect((await lastOf(service, id)).because).toBe(
      `Waiting: the maintenance "Upgrade" (${maintenance}) covers all items of the beat "pay-db-7 probe" (${id}), until the maintenance is completed; its scheduled end is ${window.scheduled_end_time}`,
    )
    await nothingDone(id)
    const woken = timesWoken(id)
    await service.admin.post(`${path}/${maintenance}/complete`)
    expect(timesWoken(id)).toBe(woken + 1)
    await look(service, 'beat', id)
    expect(await incidentsOf(service, id)).toHaveLength(1)
    expect(await notesOf(service, `beat:${id}`)).toContain(`woken by the end of maintenance "Upgrade" (${maintenance})`)
  })

  test('is the reason once a mute has ended, with a note, also after its scheduled end', async () => {
    const { id, item } = await actingBeat(service, { muted_until: at(10) })
    const window = { scheduled_start_time: at(0).toISOString(), scheduled_end_time: at(20).toISOString() }
    const maintenance = await maintain([item], window)
    await goes(service, id, 'critical')
    const name = `the beat "pay-db-7 probe" (${id})`
    expect((await lastOf(service, id)).because).toBe(`Waiting: ${name} is muted until ${at(10).toISOString()}`)
    const covers = `the maintenance "Upgrade" (${maintenance}) covers all items of ${name}, until the maintenance is completed`
    const reasons = [
      [10, `${covers}; its scheduled end is ${at(20).toISOString()}`],
      [21, `${covers}; its scheduled end, ${at(20).toISOString()}, has passed`],
    ] as const
    for (const [minutes, because] of reasons) {
      service.now = at(minutes)
      for (let n = 0; n < 2; n += 1) await look(service, 'beat', id)
      expect((await lastOf(service, id)).because).toBe(`Waiting: ${because}`)
      expect((await processOf(service, `beat:${id}`)).waiting_for).toBe(`the end of the suppression: ${because}`)
    }
    expect((await notesOf(service, `beat:${id}`)).slice(-2)).toEqual(
      reasons.map(([, because]) => `transition 2 to critical: Waiting: ${because}`),
    )
    await nothingDone(id)
  })

  test('covers items below an affected item', async () => {
    const product = await makeItem(service, 'Shop')
    const serviceItem = await makeItem(service, 'Checkout', { parent_id: product, depth: 2 })
    const id = await insertBeat(service, { action_policies: openly })
    await mapItems(service, 'beat', id, [serviceItem])
    const maintenance = await maintain([product])
    await goes(service, id, 'critical')
    expect((await lastOf(service, id)).because).toContain(`the maintenance "Upgrade" (${maintenance}) covers`)
  })

  test('is not compared with deleted items', async () => {
    const { id, item } = await actingBeat(service)
    const gone = await makeItem(service, 'Gone')
    await mapItems(service, 'beat', id, [gone])
    await service.admin.del(`/admin/hierarchy/items/${gone}`)
    const maintenance = await maintain([item])
    await goes(service, id, 'critical')
    expect((await lastOf(service, id)).because).toContain(`the maintenance "Upgrade" (${maintenance}) covers`)
  })

  test('does not cover a beat with other items or without items, or before its start', async () => {
    const { id, item } = await actingBeat(service)
    await mapItems(service, 'beat', id, [await makeItem(service, 'Search')])
    await maintain([item])
    const internal = await insertBeat(service, { action_policies: openly, affected_items_freetext: 'the office' })
    const other = await actingBeat(service)
    await maintain([other.item], { status: 'scheduled' })
    for (const one of [id, internal, other.id]) {
      await goes(service, one, 'critical')
      expect((await lastOf(service, one)).because).toBeNull()
    }
  })

  test.each([
    ['is deleted', (id: number) => service.admin.del(`${path}/${id}`)],
    ['is cancelled', (id: number) => service.admin.post(`${path}/${id}/cancel`)],
    [
      'affects other items',
      async (id: number) =>
        service.admin.patch(`${path}/${id}`, {
          title: 'Less',
          affected_items: [{ id: await makeItem(service, 'Other') }],
        }),
    ],
  ])('that %s wakes the suppressed beats and groups only', async (_what, end) => {
    const { id, item } = await actingBeat(service)
    const { id: content } = await actingBeat(service)
    const maintenance = await maintain([item])
    await goes(service, id, 'critical')
    const before = [timesWoken(id), timesWoken(content)]
    await end(maintenance)
    expect([timesWoken(id), timesWoken(content)]).toEqual([before[0]! + 1, before[1]])
    await look(service, 'beat', id)
    expect(await incidentsOf(service, id)).toHaveLength(1)
  })
})
