import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type CrashPoint, stepPoints } from '../../src/domain/kernel/crash-points.ts'
import { takeStep } from '../../src/domain/kernel/step.ts'
import { steps } from '../../src/domain/steps.ts'
import { actingBeat, bannersOf, incidentsOf, insertGroup, look, openly, see } from '../support/acting.ts'
import { type House, openHouse } from '../support/house.ts'
import { statusOf } from '../support/maintenances.ts'
import { transitionsOf } from '../support/stored-beats.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house?.close())

/** A step that fails at this point as if its worker had died: changes that were not committed are lost. */
async function cutShort(kind: 'beat' | 'beat-group', id: number, point: CrashPoint): Promise<boolean> {
  const died = new Error(point)
  const reached = (at: CrashPoint) => {
    if (at === point) throw died
  }
  const call = { kind, pageId: house.page.id, id, now: house.now }
  const error = await takeStep({ ...house.services, reached }, steps[kind], call).catch((reason) => reason)
  if (error instanceof Error && error !== died) throw error
  return error === died
}

const toldOf = async (id: number) =>
  (await house.admin.get(`/admin/notifications?subject=incident:${id}`)).body.notifications.map(
    ({ key }: { key: string }) => key,
  )

test.each(stepPoints)(
  'a step about an outage that is interrupted at "%s" posts once, and so does the step about its end',
  async (point) => {
    const { id, item } = await actingBeat(house)
    const died: boolean[] = []
    for (const stage of ['critical', 'healthy'] as const) {
      await see(house, id, stage)
      died.push(await cutShort('beat', id, point))
      await look(house, 'beat', id)
      if (stage === 'critical') expect(await bannersOf(house, id)).toHaveLength(1)
    }
    expect(died).toEqual([true, true])
    const [told, ...more] = await incidentsOf(house, id)
    expect(more).toEqual([])
    expect(told).toMatchObject({ status: 'resolved', version: 2, updates: [{ is_resolution: true }] })
    expect(await toldOf(told.id)).toEqual(['incident.resolved', 'incident.created'])
    expect((await house.admin.get(`/admin/banners?beat_id=${id}`)).body.total).toBe(1)
    expect(await statusOf(house, item)).toBe('operational')
    const { events } = (await house.admin.get(`/admin/hierarchy/items/${item}/status-events`)).body
    expect(events.map(({ status }: { status: string }) => status)).toEqual(['operational', 'major_outage'])
    expect((await transitionsOf(house, id)).map(({ actions }) => actions.length)).toEqual([0, 2, 2])
  },
)

test.each(stepPoints)('a step of a group that is interrupted at "%s" posts once', async (point) => {
  const beat_group_id = await insertGroup(house, { action_policies: openly })
  const { id } = await actingBeat(house, { beat_group_id })
  await look(house, 'beat-group', beat_group_id)
  for (const stage of ['critical', 'healthy'] as const) {
    await see(house, id, stage)
    expect(await cutShort('beat-group', beat_group_id, point)).toBe(true)
    await look(house, 'beat-group', beat_group_id)
  }
  const [told, ...more] = await incidentsOf(house, beat_group_id, 'group')
  expect(more).toEqual([])
  expect(told).toMatchObject({ status: 'resolved', updates: [{ is_resolution: true }] })
})
