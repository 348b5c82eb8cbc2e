import { expect, test } from '@jest/globals'
import {
  actingBeat,
  actionsOf,
  carefully,
  goes,
  incidentsOf,
  insertGroup,
  look,
  openly,
  see,
  setFields,
} from '../support/acting.ts'
import { groupsIn, groupTransitions, storedGroup, told } from '../support/acting-groups.ts'
import { houseAt } from '../support/frozen-house.ts'
import type { House } from '../support/house.ts'
import { type BeatFields, storedBeat } from '../support/stored-beats.ts'

/** What a group takes over from a beat that joins it: the incident, and what that tells, whatever was seen since. */

const begun = new Date('2026-03-02T09:00:00.000Z')
let house: House
houseAt(begun, (made) => {
  house = made
})

const { becomes, lookAt, members, post, becauseOf } = groupsIn(() => house)

/** A beat of no group that told by itself that it is ill. */
async function telling(stage: 'warning' | 'critical', fields: BeatFields = {}) {
  const beat = await actingBeat(house, fields)
  await goes(house, beat.id, stage)
  const [own] = await incidentsOf(house, beat.id)
  return { ...beat, own: own.id as number }
}

const looks = {
  'its process first': (group: number, id: number) => [() => look(house, 'beat', id), () => lookAt(group)],
  'the group first': (group: number, id: number) => [() => lookAt(group), () => look(house, 'beat', id)],
}
const orders = Object.entries(looks)

async function inTurn(...steps: (() => Promise<unknown>)[]): Promise<void> {
  for (const step of steps) await step()
}

test.each(orders)('a group tells that it got worse since its incident was posted: %s', async (_name, order) => {
  const { id, item, own } = await telling('warning')
  await see(house, id, 'critical')
  const group = await insertGroup(house)
  await members(group, [id])
  await inTurn(...order(group, id), ...order(group, id))
  expect(await storedGroup(house, group)).toMatchObject({ current_incident_id: own, acted_stage: 'critical' })
  expect(await told(house, own)).toEqual({
    ...{ status: 'major_outage', open: true, items: [item] },
    said: ['Payments is disrupted. We are looking into it.'],
  })
  await becomes(group, id, 'healthy')
  expect(await told(house, own)).toMatchObject({ open: false })
})

test('also when it was paused as that happened', async () => {
  const { id, own } = await telling('warning')
  const group = await insertGroup(house, { automation_paused: true })
  await members(group, [id])
  await becomes(group, id, 'critical')
  expect(await told(house, own)).toMatchObject({ status: 'degraded', said: [] })
  await setFields(house, 'beat_group', group, 'automation_paused = false')
  await lookAt(group)
  await lookAt(group)
  expect(await told(house, own)).toMatchObject({ status: 'major_outage', said: [expect.stringContaining('disrupted')] })
})

test.each(orders)('an incident that recovery kept open tells of no fault: %s', async (_name, order) => {
  const recovery = { ...openly.recovery, incident_status: 'degraded' }
  const { id, own } = await telling('warning', { action_policies: { ...openly, recovery } })
  await goes(house, id, 'healthy')
  const group = await insertGroup(house)
  await members(group, [id])
  await inTurn(...order(group, id))
  await see(house, id, 'critical')
  await inTurn(...order(group, id), ...order(group, id))
  expect(await told(house, own)).toMatchObject({
    ...{ status: 'major_outage', open: true },
    said: ['Payments works again.', 'Payments is disrupted. We are looking into it.'],
  })
  expect(await incidentsOf(house, group, 'group')).toHaveLength(1)
})

test.each(orders)(
  'what its beat told before somebody ended it is told again once it is worse: %s',
  async (_n, order) => {
    const { id, own } = await telling('warning')
    await post(`/incidents/${own}/resolve`)
    const group = await insertGroup(house)
    await members(group, [id])
    await see(house, id, 'critical')
    await inTurn(...order(group, id))
    expect(await incidentsOf(house, group, 'group')).toMatchObject([{ status: 'major_outage', resolved_at: null }])
  },
)

const none = {}
const endless = { warning: openly.warning, critical: openly.critical }

test.each([
  ['none', none],
  ['none of its end', endless],
])('a beat goes on telling in a group that would post %s, and ends it itself', async (_what, action_policies) => {
  const { id, item, own } = await telling('warning')
  const group = await insertGroup(house, { action_policies })
  await members(group, [id])
  await lookAt(group)
  expect(await storedBeat(house, id)).toMatchObject({ current_incident_id: own })
  await becomes(group, id, 'critical')
  expect(await told(house, own)).toMatchObject({ status: 'major_outage', open: true, items: [item] })
  expect(await incidentsOf(house, group, 'group')).toEqual([])
  if (action_policies === endless) {
    expect(await becauseOf(group)).toBe(
      `the beat "pay-db-7 probe" (${id}), which is critical, is held back: it has an open incident of its own (${own})`,
    )
  }
  await becomes(group, id, 'healthy')
  expect(await told(house, own)).toMatchObject({ open: false })
  // From then on the group is who tells, be it nothing.
  await becomes(group, id, 'critical')
  expect(await incidentsOf(house, id)).toHaveLength(1)
  expect(await incidentsOf(house, group, 'group')).toHaveLength(action_policies === endless ? 1 : 0)
})

test('a group takes an incident over once it would post of its stage', async () => {
  const { id, own } = await telling('warning')
  const group = await insertGroup(house, { action_policies: { ...openly, warning: {} } })
  await members(group, [id])
  await lookAt(group)
  expect(await storedBeat(house, id)).toMatchObject({ current_incident_id: own })
  await becomes(group, id, 'critical')
  await lookAt(group)
  expect(await storedGroup(house, group)).toMatchObject({ current_incident_id: own })
  expect(await told(house, own)).toMatchObject({ status: 'major_outage', said: [expect.stringContaining('disrupted')] })
})

test('what a beat has drafted is moot once it is in a group', async () => {
  const { id } = await actingBeat(house, { action_policies: carefully })
  await goes(house, id, 'critical')
  const group = await insertGroup(house, { action_policies: carefully })
  await members(group, [id])
  await lookAt(group)
  const reason = `The beat "pay-db-7 probe" (${id}) is a member of the group "Payments group" (${group}) by now, which takes all public actions.`
  expect(await actionsOf(house, id)).toMatchObject([{ state: 'superseded', reason }])
  const { body } = await house.admin.get('/admin/beat-actions?state=pending_review')
  expect(body.beat_actions).toMatchObject([{ beat_group_id: group, stage: 'critical' }])
  expect((await groupTransitions(house, group)).map(({ to_stage }) => to_stage)).toEqual(['critical'])
})

test('but not what it has drafted to end an incident of its own', async () => {
  const action_policies = { ...openly, recovery: carefully.recovery }
  const { id, own } = await telling('critical', { action_policies })
  await goes(house, id, 'healthy')
  const group = await insertGroup(house)
  await members(group, [id])
  await lookAt(group)
  const waiting = (await actionsOf(house, id)).at(-1)
  expect(waiting).toMatchObject({ state: 'pending_review', kind: 'resolve' })
  expect(await post(`/beat-actions/${waiting.id}/approve`)).toMatchObject({ status: 200 })
  expect(await told(house, own)).toMatchObject({ open: false })
})
