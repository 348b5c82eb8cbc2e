import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type CrashPoint, stepPoints } from '../../src/domain/kernel/crash-points.ts'
import { takeStep } from '../../src/domain/kernel/step.ts'
import { steps } from '../../src/domain/steps.ts'
import { actingBeat, bannersOf, incidentsOf, insertGroup, look, openly, see } from '../support/acting.ts'
import { statusOf } from '../support/maintenances.ts'
import { transitionsOf } from '../support/stored-beats.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service?.close())

/** A step that fails at this point as if its worker had died: changes that were not committed are lost. */
async function cutShort(kind: 'beat' | 'beat-group', id: number, point: CrashPoint): Promise<boolean> {
  const died = new Error(point)
  const reached = (at: CrashPoint) => {
    if (at === point) throw died
  }
  const call = { kind, pageId: service.page.id, id, now: service.now }
  const error = await takeStep({ ...service.services, reached }, steps[kind], call).catch((reason) => reason)
  if (error instanceof Error && error !== died) throw error
  return error === died
}

const notificationsOf = async (id: number) =>
  (await service.admin.get(`/admin/notifications?subject=incident:${id}`)).body.notifications.map(
    ({ key }: { key: string }) => key,
  )

test.each(stepPoints)(
  'a step about an outage that is interrupted at "%s" posts once, and so does the step about its end',
  async (point) => {
    const { id, item } = await actingBeat(service)
    const died: boolean[] = []
    for (const stage of ['critical', 'healthy'] as const) {
      await see(service, id, stage)
      died.push(await cutShort('beat', id, point))
      await look(service, 'beat', id)
      if (stage === 'critical') expect(await bannersOf(service, id)).toHaveLength(1)
    }
    expect(died).toEqual([true, true])
    const [posted, ...more] = await incidentsOf(service, id)
    expect(more).toEqual([])
    expect(posted).toMatchObject({ status: 'resolved', version: 2, updates: [{ is_resolution: true }] })
    expect(await notificationsOf(posted.id)).toEqual(['incident.resolved', 'incident.created'])
    expect((await service.admin.get(`/admin/banners?beat_id=${id}`)).body.total).toBe(1)
    expect(await statusOf(service, item)).toBe('operational')
    const { events } = (await service.admin.get(`/admin/hierarchy/items/${item}/status-events`)).body
    expect(events.map(({ status }: { status: string }) => status)).toEqual(['operational', 'major_outage'])
    expect((await transitionsOf(service, id)).map(({ actions }) => actions.length)).toEqual([0, 2, 2])
  },
)

test.each(stepPoints)('a step of a group that is interrupted at "%s" posts once', async (point) => {
  const beat_group_id = await insertGroup(service, { action_policies: openly })
  const { id } = await actingBeat(service, { beat_group_id })
  await look(service, 'beat-group', beat_group_id)
  for (const stage of ['critical', 'healthy'] as const) {
    await see(service, id, stage)
    expect(await cutShort('beat-group', beat_group_id, point)).toBe(true)
    await look(service, 'beat-group', beat_group_id)
  }
  const [posted, ...more] = await incidentsOf(service, beat_group_id, 'group')
  expect(more).toEqual([])
  expect(posted).toMatchObject({ status: 'resolved', updates: [{ is_resolution: true }] })
})
