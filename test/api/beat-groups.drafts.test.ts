import { expect, test } from '@jest/globals'
import { actionsOfGroup, carefully, goes, incidentsOf, look } from '../support/acting.ts'
import { groupsIn, storedGroup, told } from '../support/acting-groups.ts'
import { houseAt } from '../support/frozen-house.ts'
import type { House } from '../support/house.ts'

/** What a group asks somebody to tell, while its members go on falling ill and recovering. */

const begun = new Date('2026-03-02T09:00:00.000Z')
let house: House
houseAt(begun, (made) => {
  house = made
})

const { groupOf: groupAsMade, becomes, post } = groupsIn(() => house)
const groupOf = (count: number, fields: object = {}, member: object = {}) =>
  groupAsMade(count, { action_policies: carefully, ...fields }, member)
const approve = (action: { id: number }) => post(`/beat-actions/${action.id}/approve`)
const lastAction = async (group: number) => (await actionsOfGroup(house, group)).at(-1)

async function approved(group: number): Promise<number> {
  const { body } = await approve(await lastAction(group))
  await look(house, 'beat-group', group)
  return body.incident.id
}

test('the words of a draft are about what it is about by now', async () => {
  const { group, first, second } = await groupOf(2)
  await becomes(group, first.id, 'critical')
  expect(await lastAction(group)).toMatchObject({ draft: { body: 'Payments is disrupted. We are looking into it.' } })
  await becomes(group, second.id, 'critical')
  expect(await actionsOfGroup(house, group)).toMatchObject([
    {
      ...{ state: 'pending_review', version: 2, title: 'Disruption of Payments and Payments' },
      draft: {
        body: 'Payments and Payments are disrupted. We are looking into it.',
        items: [first.item, second.item],
      },
    },
  ])
  await becomes(group, second.id, 'healthy')
  expect(await lastAction(group)).toMatchObject({
    version: 3,
    title: 'Disruption of Payments',
    draft: { items: [first.item] },
  })
})

test('a draft goes on being told by the member that it was told by, as long as that is ill', async () => {
  const ofMember = { critical: { title: '{{Monitor-Name}}', body: '{{Evidence-Summary}} {{Latest-Region}}' } }
  const { group, first, second } = await groupOf(2, { message_source_mode: 'member' }, { message_policies: ofMember })
  await house.admin.patch(`/admin/beats/${first.id}`, { name: 'First', ...rules })
  await house.admin.patch(`/admin/beats/${second.id}`, { name: 'Second', ...rules })
  await becomes(group, first.id, 'critical')
  await becomes(group, second.id, 'critical')
  expect(await lastAction(group)).toMatchObject({ title: 'First', draft: { items: [first.item, second.item] } })
  await becomes(group, first.id, 'healthy')
  expect(await lastAction(group)).toMatchObject({ title: 'Second', draft: { items: [second.item] } })
})

const rules = { threshold_policies: { critical_rule: { consecutive_failures: 1 } } }

test('what is approved is what is affected: members that are well again leave the incident', async () => {
  const { group, first, second } = await groupOf(2)
  await becomes(group, first.id, 'critical')
  await becomes(group, second.id, 'warning')
  const incident = await approved(group)
  // Its stage is still that of the first; then it is that of the second.
  await becomes(group, second.id, 'critical')
  await becomes(group, first.id, 'healthy')
  expect(await lastAction(group)).toMatchObject({
    ...{ state: 'pending_review', kind: 'update' },
    draft: { items: [second.item], releases: [first.item] },
  })
  expect(await told(house, incident)).toMatchObject({ items: [first.item, second.item] })
  await approved(group)
  expect(await told(house, incident)).toMatchObject({ items: [second.item] })
})

test('somebody is asked once when an incident is about other members than those that are ill', async () => {
  const { group, first, second } = await groupOf(2)
  await becomes(group, first.id, 'critical')
  const incident = await approved(group)
  await becomes(group, second.id, 'critical')
  const asked = await lastAction(group)
  expect(asked).toMatchObject({ state: 'pending_review', kind: 'update', draft: { items: [first.item, second.item] } })
  await post(`/beat-actions/${asked.id}/reject`)
  await look(house, 'beat-group', group)
  expect(await actionsOfGroup(house, group)).toHaveLength(2)
  expect(await told(house, incident)).toMatchObject({ items: [first.item] })
})

test('what is approved is of the stage that is told, whatever members that are held back are in', async () => {
  const { group, first, second } = await groupOf(2)
  await post(`/beats/${first.id}/mute`, { minutes: 10 })
  await becomes(group, second.id, 'warning')
  await becomes(group, first.id, 'critical')
  expect(await storedGroup(house, group)).toMatchObject({ current_stage: 'critical', acted_stage: 'warning' })
  expect((await approve(await lastAction(group))).body).toMatchObject({
    action: { state: 'executed', stage: 'warning' },
  })
  const [{ id }] = await incidentsOf(house, group, 'group')
  expect(await told(house, id)).toMatchObject({ status: 'degraded', items: [second.item] })
})

test('what is approved is true still, though its process has not come to see that it is not', async () => {
  const { group, first } = await groupOf(2)
  await becomes(group, first.id, 'critical')
  await house.admin.patch(`/admin/beats/${first.id}`, { beat_group_id: null, ...rules })
  expect((await approve(await lastAction(group))).body).toMatchObject({ code: 'conflict' })
})

test('its transitions can be read, and what was done or why nothing was', async () => {
  const { group, first } = await groupOf(2)
  await becomes(group, first.id, 'critical')
  await post(`/beat-groups/${group}/mute`, { minutes: 10 })
  await becomes(group, first.id, 'healthy')
  const until = new Date(begun.getTime() + 600_000 + 1000).toISOString()
  const { body } = await house.admin.get(`/admin/beat-groups/${group}/transitions?limit=2`)
  expect(body).toMatchObject({
    total: 3,
    transitions: [
      { number: 3, from_stage: 'critical', to_stage: 'healthy', not_acted_because: `muted until ${until}` },
      {
        number: 2,
        evidence: '503 from db-7.internal',
        actions: [{ kind: 'action', id: (await lastAction(group)).id }],
      },
    ],
  })
  const more = await house.admin.get(`/admin/beat-groups/${group}/transitions?limit=2&cursor=${body.next_cursor}`)
  expect(more.body.transitions).toMatchObject([{ number: 1, to_stage: 'healthy' }])
})

test('it is muted, and the mute is ended, as that of a beat', async () => {
  const { group } = await groupOf(1)
  const muted = await post(`/beat-groups/${group}/mute`, { minutes: 10 })
  expect(muted).toMatchObject({ status: 200, body: { id: group, muted_until: '2026-03-02T09:10:00.000Z', version: 2 } })
  expect(house.rung.at(-1)).toMatchObject({ workflowId: `beat-group:${group}` })
  expect((await post(`/beat-groups/${group}/mute`)).body).toMatchObject({ code: 'invalid_request' })
  const ended = await post(`/beat-groups/${group}/mute`, { muted_until: null })
  expect(ended.body.muted_until).toBeUndefined()
  expect((await post(`/beat-groups/${group}/mute`, { muted_until: null })).body.version).toBe(3)
})

test('a member that told by itself is told of where it is now, though each post is reviewed', async () => {
  const { group, first, second } = await groupOf(2)
  await becomes(group, first.id, 'critical')
  const incident = await approved(group)
  const lone = await groupAsMade(1)
  await house.admin.patch(`/admin/beats/${lone.first.id}`, { beat_group_id: null, ...rules })
  await look(house, 'beat-group', lone.group)
  await goes(house, lone.first.id, 'critical')
  const [own] = await incidentsOf(house, lone.first.id)
  const member_monitor_ids = [first.id, second.id, lone.first.id]
  await house.admin.request('PUT', `/admin/beat-groups/${group}/members`, { member_monitor_ids })
  await look(house, 'beat-group', group)
  expect(await told(house, incident)).toMatchObject({ open: true, items: [first.item, lone.first.item] })
  expect(await told(house, own.id)).toMatchObject({ open: false })
})
