import { expect, test } from '@jest/globals'
import { actingBeat, actionsOf, actionsOfGroup, carefully, goes, incident, openly } from '../support/acting.ts'
import { groupsIn, incidentState } from '../support/acting-groups.ts'
import { serviceAt } from '../support/frozen-service.ts'
import { statusOf } from '../support/maintenances.ts'
import type { TestService } from '../support/test-service.ts'

/** What an incident that a beat or a group reopens affects, and when an incident that they open began. */

const begun = new Date('2026-03-02T09:00:00.000Z')
let service: TestService
serviceAt(begun, (made) => {
  service = made
})

const { groupOf, becomes, onlyIncident } = groupsIn(() => service)
const approve = async (id: number) => (await service.admin.post(`/admin/beat-actions/${id}/approve`)).body

const reopens = (policies: typeof openly | typeof carefully) => ({
  action_policies: { ...policies, critical: { ...policies.critical, reopen_within_minutes: 30 } },
})

test('a reopened incident of a group affects the members that are ill now, not those of last time', async () => {
  const { group, first, second } = await groupOf(2, reopens(openly))
  await becomes(group, first.id, 'critical')
  await becomes(group, second.id, 'critical')
  const id = await onlyIncident(group)
  await becomes(group, first.id, 'healthy')
  await becomes(group, second.id, 'healthy')
  expect(await incidentState(service, id)).toMatchObject({ open: false })
  await becomes(group, first.id, 'critical')
  expect(await incidentState(service, id)).toMatchObject({ open: true, items: [first.item] })
  expect([await statusOf(service, first.item), await statusOf(service, second.item)]).toEqual([
    'major_outage',
    'operational',
  ])
  const { body } = await service.admin.get(`/admin/hierarchy/items/${second.item}/status-events`)
  expect(body.events[0]).toMatchObject({ status: 'operational' })
})

test('an approved draft that reopens an incident affects the members that are ill now', async () => {
  const { group, first, second } = await groupOf(2, reopens(carefully))
  const next = async () => (await actionsOfGroup(service, group)).at(-1).id
  await becomes(group, first.id, 'critical')
  await becomes(group, second.id, 'critical')
  const { incident: opened } = await approve(await next())
  await becomes(group, first.id, 'healthy')
  await becomes(group, second.id, 'healthy')
  await approve(await next())
  await becomes(group, second.id, 'critical')
  await approve(await next())
  expect(await incidentState(service, opened.id)).toMatchObject({ open: true, items: [second.item] })
})

test('an incident begins with the transition of the stage, however late its draft is approved', async () => {
  const { id, item } = await actingBeat(service, { action_policies: carefully })
  await goes(service, id, 'critical')
  service.now = new Date(begun.getTime() + 50_000)
  const [action] = await actionsOf(service, id)
  const { incident: opened } = await approve(action.id)
  expect(await incident(service, opened.id)).toMatchObject({
    started_at: begun.toISOString(),
    created_at: service.now.toISOString(),
  })
  const { body } = await service.admin.get(`/admin/incidents/${opened.id}/impacts`)
  expect(body.impacts).toMatchObject([{ item_id: item, start_time: begun.toISOString(), end_time: null }])
})

test('an incident of a group begins with the transition of the group', async () => {
  const { group, first } = await groupOf(1, { action_policies: carefully })
  await becomes(group, first.id, 'critical')
  const seen = service.now
  service.now = new Date(seen.getTime() + 50_000)
  const { incident: opened } = await approve((await actionsOfGroup(service, group))[0].id)
  expect(opened.started_at).toBe(seen.toISOString())
})
