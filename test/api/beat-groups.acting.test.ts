import { expect, test } from '@jest/globals'
import {
  actionsOf,
  bannersOf,
  incident,
  incidentsOf,
  insertGroup,
  look,
  mapItems,
  openly,
  see,
  setFields,
} from '../support/acting.ts'
import { affected, groupsIn, groupTransitions, storedGroup } from '../support/acting-groups.ts'
import { serviceAt } from '../support/frozen-service.ts'
import { notesOf, processOf } from '../support/incidents.ts'
import { makeItem, statusOf } from '../support/maintenances.ts'
import { insertBeat } from '../support/stored-beats.ts'
import type { TestService } from '../support/test-service.ts'

const begun = new Date('2026-03-02T09:00:00.000Z')
let service: TestService
serviceAt(begun, (made) => {
  service = made
})

const at = (minutes: number) => new Date(begun.getTime() + minutes * 60_000)

const stored = (id: number) => storedGroup(service, id)
const transitionsOf = (id: number) => groupTransitions(service, id)

const { groupOf, becomes } = groupsIn(() => service)

test('the stage of a group is the worst stage of its members, and its transitions have numbers without gaps', async () => {
  const { group, first, second } = await groupOf(2)
  await becomes(group, first.id, 'warning')
  await becomes(group, second.id, 'critical')
  await becomes(group, first.id, 'healthy')
  await becomes(group, second.id, 'healthy')
  const transitions = await transitionsOf(group)
  expect(transitions.map(({ number, to_stage, facts }) => [number, to_stage, facts.beat_id])).toEqual([
    [1, 'healthy', first.id],
    [2, 'warning', first.id],
    [3, 'critical', second.id],
    [4, 'healthy', second.id],
  ])
  expect(transitions[2]).toMatchObject({
    ...{
      cause: `transition 2 to critical of the beat "pay-db-7 probe" (${second.id}), the worst of the enabled members`,
      evidence: '503 from db-7.internal',
    },
  })
  expect(await stored(group)).toMatchObject({
    ...{ current_stage: 'healthy', acted_stage: 'healthy', transition_number: 4, settled_number: 4 },
    ...{ last_transition_from_stage: 'critical', last_transition_to_stage: 'healthy' },
  })
})

test('one incident covers several ill members, and their items join and leave the incident without updates', async () => {
  const { group, members, first, second } = await groupOf(3)
  await becomes(group, first.id, 'critical')
  await becomes(group, second.id, 'critical')
  const [opened, ...more] = await incidentsOf(service, group, 'group')
  expect(more).toEqual([])
  expect(affected(opened)).toEqual([first.item, second.item])
  expect(await statusOf(service, members[2]!.item)).toBe('operational')
  expect(opened.updates).toEqual([])
  await becomes(group, first.id, 'healthy')
  expect(affected(await incident(service, opened.id))).toEqual([second.item])
  expect(await statusOf(service, first.item)).toBe('operational')
  await becomes(group, second.id, 'healthy')
  expect(await incident(service, opened.id)).toMatchObject({
    ...{ status: 'resolved', updates: [{ message: 'Payments works again.', is_resolution: true }] },
  })
  for (const { id } of members) {
    expect(await actionsOf(service, id)).toEqual([])
    expect(await incidentsOf(service, id)).toEqual([])
  }
})

test('a group takes the public actions of its members, and each member keeps its banner', async () => {
  const { group, first } = await groupOf(2, { action_policies: { critical: openly.critical } })
  await becomes(group, first.id, 'critical')
  expect(await bannersOf(service, first.id)).toEqual([
    '"Payments group" is critical: 503 from db-7.internal',
    '"pay-db-7 probe" is critical: 503 from db-7.internal',
  ])
  expect((await notesOf(service, `beat:${first.id}`)).at(-1)).toBe(
    `transition 2 to critical: No public action: the group "Payments group" (${group}) takes the public actions of the beat "pay-db-7 probe" (${first.id})`,
  )
})

test('a group without items and freetext uses the impact and the freetext of its worst member', async () => {
  const group = await insertGroup(service, {})
  const fields = { impact: 'Slow', affected_items_freetext: 'the office' }
  const id = await insertBeat(service, { beat_group_id: group, ...fields })
  await becomes(group, id, 'warning')
  const [opened] = await incidentsOf(service, group, 'group')
  expect(opened).toMatchObject({ title: 'Problems with the office', ...fields })
})

test('the items of the group are affected whichever member is ill', async () => {
  const { group, first } = await groupOf(2)
  const own = await makeItem(service, 'Shop')
  await mapItems(service, 'beat_group', group, [own])
  await becomes(group, first.id, 'warning')
  const [opened] = await incidentsOf(service, group, 'group')
  expect(affected(opened)).toEqual([own, first.item])
})

test('an incident uses the message policy of the group, or that of the worst member', async () => {
  const ofGroup = { critical: { title: 'Group: {{Monitor-Name}}', body: '{{Evidence-Summary}}' } }
  const ofMember = { critical: { title: 'Member: {{Monitor-Name}}', body: '{{Evidence-Summary}}' } }
  for (const [mode, title] of [
    ['group', 'Group: Payments group'],
    ['member', 'Member: pay-db-7 probe'],
  ]) {
    const fields = { message_policies: ofGroup, message_source_mode: mode }
    const { group, first } = await groupOf(2, fields, { message_policies: ofMember })
    await becomes(group, first.id, 'critical')
    expect(await incidentsOf(service, group, 'group')).toMatchObject([{ title, description: '503 from db-7.internal' }])
  }
})

test('a muted or paused group takes no public action, and acts on its stage when the suppression ends', async () => {
  const { group, first } = await groupOf(2, { muted_until: at(10) })
  await becomes(group, first.id, 'critical')
  expect((await transitionsOf(group)).at(-1)).toMatchObject({
    not_acted_because: `Waiting: the group "Payments group" (${group}) is muted until ${at(10).toISOString()}`,
  })
  expect(await incidentsOf(service, group, 'group')).toEqual([])
  expect(await bannersOf(service, first.id)).toHaveLength(1)
  expect(await processOf(service, `beat-group:${group}`)).toMatchObject({ until: at(10).toISOString() })
  service.now = at(10)
  await look(service, 'beat-group', group)
  expect(await incidentsOf(service, group, 'group')).toHaveLength(1)
  await setFields(service, 'beat_group', group, "automation_paused = true, automation_pause_reason = 'Why not'")
  await becomes(group, first.id, 'healthy')
  expect((await transitionsOf(group)).at(-1)).toMatchObject({
    not_acted_because: `Waiting: the automation of the group "Payments group" (${group}) is paused: Why not`,
  })
  expect(await incidentsOf(service, group, 'group')).toMatchObject([{ resolved_at: null }])
})

test('concurrent steps of a group make one transition and one incident', async () => {
  const { group, first, second } = await groupOf(2)
  await Promise.all([see(service, first.id, 'critical'), see(service, second.id, 'critical')])
  await Promise.all([
    ...Array.from({ length: 4 }, () => look(service, 'beat-group', group)),
    ...[first, second].map(({ id }) => look(service, 'beat', id)),
  ])
  expect(await transitionsOf(group)).toHaveLength(2)
  expect(await incidentsOf(service, group, 'group')).toHaveLength(1)
})

test('a group that flaps together with a member shows no second banner', async () => {
  const { group, first } = await groupOf(2)
  for (let n = 0; n < 8; n += 1) await becomes(group, first.id, n % 2 ? 'healthy' : 'critical')
  expect((await stored(group)).flapping_since).not.toBeNull()
  expect((await transitionsOf(group)).at(-1)!.not_acted_because).toBe(
    `Waiting: the group "Payments group" (${group}) is flapping: 8 changes in 60 minutes`,
  )
  const flapping = (await bannersOf(service, first.id)).filter((said: string) => said.includes('flapping'))
  expect(flapping).toHaveLength(1)
})

test('the process of a deleted group ends', async () => {
  expect(await look(service, 'beat-group', 4711)).toEqual({ done: true, says: 'nothing: the group was deleted' })
})
