import { expect, test } from '@jest/globals'
import { actionsOf, goes, incidentsOf, look } from '../support/acting.ts'
import { groupsIn, nobodyKnows, storedGroup, told } from '../support/acting-groups.ts'
import { houseAt } from '../support/frozen-house.ts'
import type { House } from '../support/house.ts'
import { notesOf } from '../support/incidents.ts'
import { storedBeat } from '../support/stored-beats.ts'

/** Who is told of an outage when members leave their group, join one or are deleted, and when the group is. */

const begun = new Date('2026-03-02T09:00:00.000Z')
let house: House
houseAt(begun, (made) => {
  house = made
})

const { groupOf, becomes, lookAt, members, leave, post, becauseOf, illGroup } = groupsIn(() => house)

test('the incident that tells of a member alone goes with it, and nothing is posted', async () => {
  const { group, first, incident } = await illGroup(1)
  await leave(group, first.id)
  // The process of the beat may be first: it waits.
  expect(await look(house, 'beat', first.id)).toMatchObject({ says: `the group ${group}, which it left, to let it go` })
  await lookAt(group)
  expect(await storedBeat(house, first.id)).toMatchObject({ current_incident_id: incident, left_group_id: null })
  expect(await storedGroup(house, group)).toMatchObject({ current_incident_id: null, acted_stage: 'healthy', told: [] })
  await look(house, 'beat', first.id)
  expect(await told(house, incident)).toMatchObject({ open: true, items: [first.item], said: [] })
  await goes(house, first.id, 'healthy')
  expect(await told(house, incident)).toMatchObject({ open: false, said: ['Payments works again.'] })
})

test('of several the one that leaves tells by itself, and the rest is told on', async () => {
  const { group, first, second, incident } = await illGroup(2)
  await members(group, [second.id])
  expect((await look(house, 'beat', first.id)).says).toContain('to let it go')
  await lookAt(group)
  await look(house, 'beat', first.id)
  expect(await told(house, incident)).toMatchObject({ open: true, items: [second.item], said: [] })
  const [own] = await incidentsOf(house, first.id)
  expect(await told(house, own.id)).toMatchObject({ status: 'major_outage', open: true, items: [first.item] })
})

test('a draft is moot when the one that it is about leaves, and that one asks by itself', async () => {
  const { group, first } = await groupOf(2, { action_policies: carefullyCritical })
  await becomes(group, first.id, 'critical')
  await leave(group, first.id)
  await lookAt(group)
  const { body } = await house.admin.get(`/admin/beat-actions?beat_group_id=${group}`)
  expect(body.beat_actions).toMatchObject([{ state: 'superseded', reason: expect.stringContaining('left') }])
  await look(house, 'beat', first.id)
  expect(await incidentsOf(house, first.id)).toHaveLength(1)
})

const carefullyCritical = { critical: { public_post: true, public_post_mode: 'draft_only' } }

test('when a group is deleted its incident goes with one of those that are ill', async () => {
  const { group, first, second, incident } = await illGroup(2)
  await becomes(group, first.id, 'warning')
  expect((await house.admin.del(`/admin/beat-groups/${group}`)).status).toBe(200)
  for (const { id } of [first, second]) await look(house, 'beat', id)
  expect(await storedBeat(house, second.id)).toMatchObject({ current_incident_id: incident })
  expect(await told(house, incident)).toMatchObject({ open: true, items: [second.item] })
  const [own] = await incidentsOf(house, first.id)
  expect(await told(house, own.id)).toMatchObject({ status: 'degraded', items: [first.item] })
  await goes(house, second.id, 'healthy')
  expect(await told(house, incident)).toMatchObject({ open: false })
})

test('of a member that was deleted nobody knows whether it works again', async () => {
  const { group, first, second, incident } = await illGroup(1)
  await house.admin.del(`/admin/beats/${first.id}`)
  await lookAt(group)
  expect(await told(house, incident)).toMatchObject({ open: true, items: [first.item], said: [] })
  expect(await becauseOf(group)).toBe(nobodyKnows(first, 'deleted'))
  expect(await notesOf(house, `beat-group:${group}`)).toContain(
    `${nobodyKnows(first, 'deleted')}. The incident "Disruption of Payments" (${incident}) stays open for a person to resolve`,
  )
  await becomes(group, second.id, 'critical')
  await becomes(group, second.id, 'healthy')
  expect(await told(house, incident)).toMatchObject({ open: true, items: [first.item] })
  await post(`/incidents/${incident}/resolve`)
  await lookAt(group)
  expect(await storedGroup(house, group)).toMatchObject({ acted_stage: 'healthy', told: [] })
})

test('of several the one that was deleted leaves the incident', async () => {
  const { group, first, second, incident } = await illGroup(2)
  await house.admin.del(`/admin/beats/${first.id}`)
  await lookAt(group)
  expect(await told(house, incident)).toMatchObject({ open: true, items: [second.item], said: [] })
  await becomes(group, second.id, 'healthy')
  expect(await told(house, incident)).toMatchObject({ open: false })
  expect(await actionsOf(house, first.id)).toEqual([])
})
