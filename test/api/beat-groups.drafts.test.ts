import { expect, test } from '@jest/globals'
import { actionsOfGroup, carefully, look } from '../support/acting.ts'
import { groupsIn, incidentState } from '../support/acting-groups.ts'
import { serviceAt } from '../support/frozen-service.ts'
import type { TestService } from '../support/test-service.ts'

/** The drafts of a group, and what an approval does after members have changed. */

const begun = new Date('2026-03-02T09:00:00.000Z')
let service: TestService
serviceAt(begun, (made) => {
  service = made
})

const { groupOf: groupAsMade, becomes, post } = groupsIn(() => service)
const groupOf = (count: number, fields: object = {}, member: object = {}) =>
  groupAsMade(count, { action_policies: carefully, ...fields }, member)
const approve = (action: { id: number }) => post(`/beat-actions/${action.id}/approve`)
const lastAction = async (group: number) => (await actionsOfGroup(service, group)).at(-1)

async function approved(group: number): Promise<number> {
  const { body } = await approve(await lastAction(group))
  await look(service, 'beat-group', group)
  return body.incident.id
}

const rules = { threshold_policies: { critical_rule: { consecutive_failures: 1 } } }

test('a draft keeps its words while further members fall ill, and its approval affects the members that are ill then', async () => {
  const { group, members, first, second } = await groupOf(3)
  await becomes(group, first.id, 'critical')
  await becomes(group, second.id, 'warning')
  const [draft, ...more] = await actionsOfGroup(service, group)
  expect(more).toEqual([])
  expect(draft).toMatchObject({ state: 'pending_review', version: 1, draft: { items: [first.item] } })
  const incident = await approved(group)
  expect(await incidentState(service, incident)).toMatchObject({ items: [first.item, second.item] })
  expect(await lastAction(group)).toMatchObject({
    ...{ title: 'Disruption of Payments', draft: { items: [first.item, second.item] } },
  })
  await becomes(group, members[2]!.id, 'critical')
  await becomes(group, first.id, 'healthy')
  expect(await incidentState(service, incident)).toMatchObject({ items: [second.item, members[2]!.item], messages: [] })
  expect(await actionsOfGroup(service, group)).toHaveLength(1)
})

test('the items of healthy members leave the incident although its resolution waits for review', async () => {
  const { group, first } = await groupOf(2)
  await becomes(group, first.id, 'critical')
  const incident = await approved(group)
  await becomes(group, first.id, 'healthy')
  expect(await incidentState(service, incident)).toMatchObject({ open: true, items: [] })
  await approved(group)
  expect(await incidentState(service, incident)).toMatchObject({ open: false, messages: ['Payments works again.'] })
})

test('a rejection is final for the stage: the next change of the stage makes the next draft', async () => {
  const { group, first, second } = await groupOf(2)
  await becomes(group, first.id, 'warning')
  await post(`/beat-actions/${(await lastAction(group)).id}/reject`)
  await becomes(group, second.id, 'warning')
  expect(await actionsOfGroup(service, group)).toMatchObject([{ state: 'rejected' }])
  await becomes(group, second.id, 'critical')
  expect(await actionsOfGroup(service, group)).toMatchObject([
    { state: 'rejected' },
    { state: 'pending_review', kind: 'open', draft: { items: [first.item, second.item] } },
  ])
})

test('an approval is refused when the ill member has left, although the group has taken no step since', async () => {
  const { group, first } = await groupOf(2)
  await becomes(group, first.id, 'critical')
  await service.admin.patch(`/admin/beats/${first.id}`, { beat_group_id: null, ...rules })
  expect((await approve(await lastAction(group))).body).toMatchObject({ code: 'conflict' })
})

test('the transitions of a group can be read with their actions and with the reasons for no action', async () => {
  const { group, first } = await groupOf(2)
  await becomes(group, first.id, 'critical')
  await post(`/beat-groups/${group}/mute`, { minutes: 10 })
  await becomes(group, first.id, 'healthy')
  const until = new Date(begun.getTime() + 600_000 + 1000).toISOString()
  const { body } = await service.admin.get(`/admin/beat-groups/${group}/transitions?limit=2`)
  expect(body).toMatchObject({
    total: 3,
    transitions: [
      {
        number: 3,
        from_stage: 'critical',
        to_stage: 'healthy',
        not_acted_because: `Waiting: the group "Payments group" (${group}) is muted until ${until}`,
      },
      {
        number: 2,
        evidence: '503 from db-7.internal',
        actions: [{ kind: 'action', id: (await lastAction(group)).id }],
      },
    ],
  })
  const more = await service.admin.get(`/admin/beat-groups/${group}/transitions?limit=2&cursor=${body.next_cursor}`)
  expect(more.body.transitions).toMatchObject([{ number: 1, to_stage: 'healthy' }])
})

test('a group can be muted, and its mute can be ended', async () => {
  const { group } = await groupOf(1)
  const muted = await post(`/beat-groups/${group}/mute`, { minutes: 10 })
  expect(muted).toMatchObject({ status: 200, body: { id: group, muted_until: '2026-03-02T09:10:00.000Z', version: 2 } })
  expect(service.woken.at(-1)).toMatchObject({ kind: 'beat-group', id: group })
  expect((await post(`/beat-groups/${group}/mute`)).body).toMatchObject({ code: 'invalid_request' })
  const ended = await post(`/beat-groups/${group}/mute`, { muted_until: null })
  expect(ended.body.muted_until).toBeUndefined()
  expect((await post(`/beat-groups/${group}/mute`, { muted_until: null })).body.version).toBe(3)
})
