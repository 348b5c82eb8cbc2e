import { expect, test } from '@jest/globals'
import { actionsOfGroup, carefully, look } from '../support/acting.ts'
import { groupsIn, groupTransitions, storedGroup, told } from '../support/acting-groups.ts'
import { houseAt } from '../support/frozen-house.ts'
import type { House } from '../support/house.ts'

/** Whom a group asks, and how often, where each post is reviewed and the outage grows. */

const begun = new Date('2026-03-02T09:00:00.000Z')
let house: House
houseAt(begun, (made) => {
  house = made
})

const { groupOf: groupAsMade, becomes, post } = groupsIn(() => house)
const groupOf = (count: number) => groupAsMade(count, { action_policies: carefully })
const lastAction = async (group: number) => (await actionsOfGroup(house, group)).at(-1)

async function decided(group: number, how: 'approve' | 'reject') {
  const { body } = await post(`/beat-actions/${(await lastAction(group)).id}/${how}`)
  await look(house, 'beat-group', group)
  return body
}

const states = async (group: number) =>
  (await actionsOfGroup(house, group)).map(({ state }: { state: string }) => state)

test('an outage that grows is no flapping: each further member is asked about', async () => {
  const { group, members } = await groupOf(9)
  let incident = 0
  for (const { id } of members) {
    await becomes(group, id, 'critical')
    incident = (await decided(group, 'approve')).incident.id
  }
  expect(await told(house, incident)).toMatchObject({ items: members.map(({ item }) => item) })
  const transitions = await groupTransitions(house, group)
  expect(transitions).toHaveLength(10)
  expect(transitions.filter(({ not_acted_because }) => not_acted_because?.includes('flapping'))).toEqual([])
  expect(await storedGroup(house, group)).toMatchObject({ flapping_since: null })
})

test('real changes make it flap, however much was told of each stage between them', async () => {
  const { group, first, second } = await groupOf(2)
  for (let n = 0; n < 4; n += 1) {
    await becomes(group, first.id, 'critical')
    await decided(group, 'approve')
    await becomes(group, second.id, 'critical')
    expect(await storedGroup(house, group)).toMatchObject({ flapping_since: n < 3 ? null : expect.any(Date) })
    await becomes(group, second.id, 'healthy')
    await becomes(group, first.id, 'healthy')
    if (n < 3) await decided(group, 'approve')
  }
})

test('who rejects what is told of one member is asked about the next, once', async () => {
  const { group, first, second } = await groupOf(3)
  await becomes(group, first.id, 'critical')
  await decided(group, 'reject')
  expect(await states(group)).toEqual(['rejected'])
  await becomes(group, second.id, 'critical')
  expect(await lastAction(group)).toMatchObject({
    ...{ state: 'pending_review', kind: 'open' },
    draft: { items: [first.item, second.item] },
  })
  await decided(group, 'reject')
  for (let n = 0; n < 2; n += 1) await look(house, 'beat-group', group)
  expect(await states(group)).toEqual(['rejected', 'rejected'])
})

test('what could not be posted keeps nobody from being asked about the next member', async () => {
  const { group, first, second } = await groupOf(2)
  await becomes(group, first.id, 'critical')
  await house.admin.del(`/admin/hierarchy/items/${first.item}`)
  expect((await decided(group, 'approve')).action).toMatchObject({ state: 'failed' })
  await becomes(group, second.id, 'critical')
  expect(await states(group)).toEqual(['failed', 'pending_review'])
  expect((await decided(group, 'approve')).incident).toMatchObject({ affected_items: [{ id: second.item }] })
})

test('a member that was well meanwhile is asked about again', async () => {
  const { group, first, second } = await groupOf(2)
  await becomes(group, first.id, 'critical')
  await becomes(group, second.id, 'critical')
  await decided(group, 'reject')
  await becomes(group, second.id, 'healthy')
  expect(await states(group)).toEqual(['rejected'])
  await becomes(group, second.id, 'critical')
  expect(await states(group)).toEqual(['rejected', 'pending_review'])
})

test('a further member that is less ill is asked about as well, and one that stands for nothing more is not', async () => {
  const { group, first, members } = await groupOf(3)
  await becomes(group, first.id, 'critical')
  await decided(group, 'reject')
  await house.admin.patch(`/admin/beats/${members[1]!.id}`, {
    ...{ component_ids: [first.item], threshold_policies: { critical_rule: { consecutive_failures: 1 } } },
  })
  await becomes(group, members[1]!.id, 'critical')
  expect(await states(group)).toEqual(['rejected'])
  await becomes(group, members[2]!.id, 'warning')
  expect(await states(group)).toEqual(['rejected', 'pending_review'])
  expect((await decided(group, 'approve')).incident).toMatchObject({ status: 'major_outage' })
})
