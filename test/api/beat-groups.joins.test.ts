import { expect, test } from '@jest/globals'
import { goes, incidentsOf, look } from '../support/acting.ts'
import { groupsIn, storedGroup, told } from '../support/acting-groups.ts'
import { houseAt } from '../support/frozen-house.ts'
import type { House } from '../support/house.ts'
import { statusOf } from '../support/maintenances.ts'
import { storedBeat } from '../support/stored-beats.ts'

/** Who tells of an outage when a beat joins a group while it is ill. */

const begun = new Date('2026-03-02T09:00:00.000Z')
let house: House
houseAt(begun, (made) => {
  house = made
})

const { groupOf, becomes, lookAt, members, leave, post, becauseOf, illGroup } = groupsIn(() => house)

test('what a beat tells by itself is told by its group once it joins one', async () => {
  const { group, first, second } = await groupOf(2)
  const lone = await groupOf(1, {}, {})
  await leave(lone.group, lone.first.id)
  await lookAt(lone.group)
  const { id, item } = lone.first
  await goes(house, id, 'critical')
  const [own] = await incidentsOf(house, id)
  await members(group, [first.id, second.id, id])
  await look(house, 'beat', id)
  await lookAt(group)
  expect(await storedGroup(house, group)).toMatchObject({ current_incident_id: own.id, acted_stage: 'critical' })
  expect(await storedBeat(house, id)).toMatchObject({ current_incident_id: null })
  expect(await told(house, own.id)).toMatchObject({ open: true, items: [item], said: [] })
  await becomes(group, first.id, 'critical')
  expect(await told(house, own.id)).toMatchObject({ items: [item, first.item], said: [] })
  // Out of it again while another is ill: it tells by itself anew.
  await members(group, [first.id, second.id])
  await lookAt(group)
  await look(house, 'beat', id)
  expect(await told(house, own.id)).toMatchObject({ open: true, items: [first.item] })
  const [, anew] = await incidentsOf(house, id)
  expect(await told(house, anew.id)).toMatchObject({ open: true, items: [item], said: [] })
})

test('one fault is told of once: what a beat told ends where its group tells of it', async () => {
  const { group, first, second, incident } = await illGroup(1)
  const lone = await groupOf(1)
  await leave(lone.group, lone.first.id)
  await lookAt(lone.group)
  const { id, item } = lone.first
  await goes(house, id, 'critical')
  const [own] = await incidentsOf(house, id)
  await members(group, [first.id, second.id, id])
  await lookAt(group)
  expect(await told(house, incident)).toMatchObject({ open: true, items: [first.item, item], said: [] })
  expect(await told(house, own.id)).toMatchObject({
    ...{ open: false, said: ['This goes on, and is told of in "Disruption of Payments" from now on.'] },
  })
  expect(await statusOf(house, item)).toBe('major_outage')
})

test('from one group to another its incident goes with it', async () => {
  const { group, first, incident } = await illGroup(1)
  const other = await groupOf(1)
  await leave(group, first.id, other.group)
  await lookAt(other.group)
  expect(await storedGroup(house, other.group)).toMatchObject({ current_stage: 'critical', acted_stage: 'healthy' })
  expect(await becauseOf(other.group)).toContain(
    `the group "Payments group" (${group}), which it left, still acts for it`,
  )
  const rung = house.rung.length
  await lookAt(group)
  expect(house.rung.slice(rung).map(({ workflowId }) => workflowId)).toContain(`beat-group:${other.group}`)
  await lookAt(other.group)
  expect(await storedGroup(house, other.group)).toMatchObject({
    current_incident_id: incident,
    acted_stage: 'critical',
  })
  expect(await told(house, incident)).toMatchObject({ open: true, items: [first.item], said: [] })
})

test('nothing is told anew by a group of what somebody ended before, and one without members is in no stage', async () => {
  const { group, second } = await groupOf(2)
  const lone = await groupOf(1)
  const { id } = lone.first
  await leave(lone.group, id)
  await lookAt(lone.group)
  expect(await storedGroup(house, lone.group)).toMatchObject({ current_stage: null })
  await goes(house, id, 'critical')
  const [own] = await incidentsOf(house, id)
  await post(`/incidents/${own.id}/resolve`)
  await members(group, [second.id, id])
  await lookAt(group)
  expect(await becauseOf(group)).toBe(`a person has ended the incident of the beat "pay-db-7 probe" (${id})`)
  expect(await incidentsOf(house, group, 'group')).toEqual([])
})
