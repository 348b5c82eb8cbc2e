import { expect, test } from '@jest/globals'
import { actionsOf, carefully, goes, incidentsOf, look, openly } from '../support/acting.ts'
import { groupsIn, told } from '../support/acting-groups.ts'
import { houseAt } from '../support/frozen-house.ts'
import type { House } from '../support/house.ts'
import { storedBeat } from '../support/stored-beats.ts'

/** Who ends the incident that a beat has taken with it from its group. */

const begun = new Date('2026-03-02T09:00:00.000Z')
let house: House
houseAt(begun, (made) => {
  house = made
})

const { groupOf, becomes, lookAt, members, leave, post } = groupsIn(() => house)

const reviewsOf = async (id: number) =>
  (await house.admin.get(`/admin/notifications?subject=beat:${id}`)).body.notifications.filter(
    ({ key }: { key: string }) => key === 'beat.review_requested',
  )

test.each([
  ['nothing', {}],
  ['nothing of its recovery', { critical: openly.critical }],
  ['nothing of its recovery, were it automatic', { recovery: { public_post: false, public_post_mode: 'automatic' } }],
])('somebody is asked to end it where the beat posts %s by itself', async (_what, action_policies) => {
  const { group, first } = await groupOf(2, {}, { action_policies })
  await becomes(group, first.id, 'critical')
  const [{ id: incident }] = await incidentsOf(house, group, 'group')
  await leave(group, first.id)
  await lookAt(group)
  expect(await storedBeat(house, first.id)).toMatchObject({ current_incident_id: incident })
  await look(house, 'beat', first.id)
  expect(await told(house, incident)).toMatchObject({ open: true, said: [] })
  await goes(house, first.id, 'healthy')
  expect(await told(house, incident)).toMatchObject({ open: true, said: [] })
  const [asked, ...more] = await actionsOf(house, first.id)
  expect(more).toEqual([])
  expect(asked).toMatchObject({ state: 'pending_review', mode: 'draft_only', kind: 'resolve', stage: 'healthy' })
  expect(await reviewsOf(first.id)).toHaveLength(1)
  expect(await post(`/beat-actions/${asked.id}/approve`)).toMatchObject({ status: 200 })
  expect(await told(house, incident)).toMatchObject({ open: false, said: ['Payments works again.'] })
})

test('nobody is asked of one that it opened by itself: so it was set', async () => {
  const { group, first } = await groupOf(1, {}, { action_policies: { critical: openly.critical } })
  await leave(group, first.id)
  await lookAt(group)
  await goes(house, first.id, 'critical', 'healthy')
  const [own] = await incidentsOf(house, first.id)
  expect(await told(house, own.id)).toMatchObject({ open: true })
  expect(await actionsOf(house, first.id)).toHaveLength(1)
})

test('somebody is asked as well when it has come to another group that posts nothing', async () => {
  const { group, first } = await groupOf(1, {}, { action_policies: {} })
  await becomes(group, first.id, 'critical')
  const [{ id: incident }] = await incidentsOf(house, group, 'group')
  const silent = await groupOf(0, { action_policies: {} })
  await leave(group, first.id, silent.group)
  await lookAt(group)
  await lookAt(silent.group)
  expect(await storedBeat(house, first.id)).toMatchObject({ current_incident_id: incident })
  await becomes(silent.group, first.id, 'healthy')
  expect(await actionsOf(house, first.id)).toMatchObject([{ state: 'pending_review', kind: 'resolve' }])
})

test('what its group has not posted of it yet, the beat posts by itself', async () => {
  const { group, first, second } = await groupOf(2, { action_policies: { ...openly, critical: carefully.critical } })
  await becomes(group, first.id, 'warning')
  const [{ id: incident }] = await incidentsOf(house, group, 'group')
  await becomes(group, first.id, 'critical')
  expect(await told(house, incident)).toMatchObject({ status: 'degraded', said: [] })
  await members(group, [second.id])
  await lookAt(group)
  await look(house, 'beat', first.id)
  expect(await told(house, incident)).toMatchObject({ status: 'major_outage', open: true })
  await goes(house, first.id, 'healthy')
  expect(await told(house, incident)).toMatchObject({ open: false })
})
