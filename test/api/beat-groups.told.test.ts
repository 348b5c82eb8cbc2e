import { expect, test } from '@jest/globals'
import { incident, incidentsOf, look, setFields } from '../support/acting.ts'
import { affected, groupsIn, groupTransitions, nobodyKnows, storedGroup, told } from '../support/acting-groups.ts'
import { houseAt } from '../support/frozen-house.ts'
import type { House } from '../support/house.ts'
import { processOf } from '../support/incidents.ts'
import { statusOf } from '../support/maintenances.ts'

/** What a group tells of members of whom nobody hears any more: they are switched off, held back, elsewhere or deleted. */

const begun = new Date('2026-03-02T09:00:00.000Z')
let house: House
houseAt(begun, (made) => {
  house = made
})

const at = (minutes: number) => new Date(begun.getTime() + minutes * 60_000)

const { groupOf, becomes, onlyIncident, lookAt, post, becauseOf, illGroup } = groupsIn(() => house)

test('that a member works again is not claimed by switching it off', async () => {
  const { group, first, incident } = await illGroup(1)
  await post(`/beats/${first.id}/pause`)
  await lookAt(group)
  expect(await told(house, incident)).toEqual({ status: 'major_outage', open: true, items: [first.item], said: [] })
  expect(await becauseOf(group)).toBe(nobodyKnows(first))
  expect(await storedGroup(house, group)).toMatchObject({ current_stage: 'healthy', acted_stage: 'critical' })
  expect((await processOf(house, `beat-group:${group}`)).waiting_for).toContain(nobodyKnows(first))
  await post(`/beats/${first.id}/resume`)
  await lookAt(group)
  expect(await told(house, incident)).toMatchObject({ open: true, said: [] })
  await becomes(group, first.id, 'healthy')
  expect(await told(house, incident)).toMatchObject({ open: false, said: ['Payments works again.'] })
})

test('a group of which every member is switched off is in no stage, and says why its incident stands', async () => {
  const { group, first, second, incident } = await illGroup(1)
  for (const { id } of [first, second]) await post(`/beats/${id}/pause`)
  await lookAt(group)
  expect(await storedGroup(house, group)).toMatchObject({ current_stage: null, acted_stage: 'critical' })
  expect((await processOf(house, `beat-group:${group}`)).waiting_for).toBe(
    `a stage of one of its members; ${nobodyKnows(first)}`,
  )
  expect(await told(house, incident)).toMatchObject({ open: true, items: [first.item], said: [] })
  for (const { id } of [first, second]) await post(`/beats/${id}/resume`)
  await becomes(group, first.id, 'healthy')
  expect(await told(house, incident)).toMatchObject({ open: false, said: ['Payments works again.'] })
})

test('that the others work again is told though one of them was switched off', async () => {
  const { group, first, second, incident } = await illGroup(2)
  await post(`/beats/${first.id}/pause`)
  await becomes(group, second.id, 'healthy')
  expect(await told(house, incident)).toEqual({ status: 'major_outage', open: true, items: [first.item], said: [] })
  expect(await statusOf(house, second.item)).toBe('operational')
})

test('what somebody resolves by hand is over, be it that a member was switched off', async () => {
  const { group, first, second, incident } = await illGroup(1)
  await post(`/beats/${first.id}/pause`)
  await lookAt(group)
  await post(`/incidents/${incident}/resolve`)
  await lookAt(group)
  expect(await storedGroup(house, group)).toMatchObject({ acted_stage: 'healthy', current_incident_id: null })
  await post(`/beats/${first.id}/resume`)
  await lookAt(group)
  expect(await becauseOf(group)).toBe(`a person has ended the incident of the beat "pay-db-7 probe" (${first.id})`)
  await becomes(group, second.id, 'critical')
  const [, another, ...more] = await incidentsOf(house, group, 'group')
  expect(more).toEqual([])
  expect(await told(house, another.id)).toMatchObject({ open: true, items: [second.item] })
})

test.each([
  ['muted', { minutes: 10 }, `muted until ${at(10).toISOString()}`],
  ['paused', { automation_paused: true }, 'automation is paused'],
])('a member that is %s does not end what is told of it by recovering', async (_how, body, because) => {
  const { group, first, incident } = await illGroup(1)
  house.now = begun
  const muted = 'minutes' in body
  expect(await (muted ? post(`/beats/${first.id}/mute`, body) : automation(first.id, body))).toMatchObject({
    status: 200,
  })
  await becomes(group, first.id, 'healthy')
  expect(await told(house, incident)).toMatchObject({ open: true, items: [first.item], said: [] })
  expect(await becauseOf(group)).toBe(`the beat "pay-db-7 probe" (${first.id}) is held back: ${because}`)
  if (muted) house.now = at(10)
  else await automation(first.id, { automation_paused: false })
  await look(house, 'beat', first.id)
  await lookAt(group)
  expect(await told(house, incident)).toMatchObject({ open: false, said: ['Payments works again.'] })
})

const automation = (id: number, body: object) =>
  house.admin.patch(`/admin/beats/${id}`, {
    ...body,
    threshold_policies: { critical_rule: { consecutive_failures: 1 } },
  })

test('a group waits for the end of the mute of a member', async () => {
  const { group, first } = await illGroup(1)
  await post(`/beats/${first.id}/mute`, { muted_until: at(10).toISOString() })
  await lookAt(group)
  expect(await processOf(house, `beat-group:${group}`)).toMatchObject({ until: at(10).toISOString() })
})

test('a member that is covered by a maintenance does not keep the others from recovery', async () => {
  const { group, first, second } = await groupOf(2)
  const window = { title: 'Work', description: 'Work', affected_items: [{ id: first.item }] }
  const times = { scheduled_start_time: at(0).toISOString(), scheduled_end_time: at(60).toISOString() }
  const made = await post('/maintenances', { ...window, ...times })
  await post(`/maintenances/${made.body.id}/start`)
  await becomes(group, first.id, 'critical')
  expect(await incidentsOf(house, group, 'group')).toEqual([])
  await becomes(group, second.id, 'warning')
  const incident = await onlyIncident(group)
  expect(await told(house, incident)).toMatchObject({ status: 'degraded', items: [second.item] })
  await becomes(group, second.id, 'healthy')
  expect(await told(house, incident)).toMatchObject({ open: false, said: ['Payments works again.'] })
  expect(await storedGroup(house, group)).toMatchObject({ current_stage: 'critical', acted_stage: 'healthy' })
  expect((await groupTransitions(house, group)).map(({ to_stage }) => to_stage)).toEqual([
    ...['healthy', 'critical', 'warning', 'healthy'],
  ])
})

test('is not told by a member that is held back itself, until that ends', async () => {
  const { group, first, second } = await groupOf(2)
  await setFields(house, 'beat', first.id, `muted_until = '${at(10).toISOString()}'`)
  await becomes(group, first.id, 'critical')
  expect(await storedGroup(house, group)).toMatchObject({ current_stage: 'critical', acted_stage: 'healthy' })
  expect((await groupTransitions(house, group)).at(-1)!.not_acted_because).toBe(
    `the beat "pay-db-7 probe" (${first.id}), which is critical, is held back: muted until ${at(10).toISOString()}`,
  )
  await becomes(group, second.id, 'critical')
  const [told] = await incidentsOf(house, group, 'group')
  expect(affected(told)).toEqual([second.item])
  house.now = at(10)
  const rung = house.rung.length
  await look(house, 'beat', first.id)
  expect(house.rung.slice(rung).map(({ workflowId }) => workflowId)).toEqual([`beat-group:${group}`])
  await look(house, 'beat-group', group)
  expect(affected(await incident(house, told.id))).toEqual([second.item, first.item])
})

test('a member that is muted after it was told of stays told of', async () => {
  const { group, first, second } = await groupOf(2)
  for (const { id } of [first, second]) await becomes(group, id, 'critical')
  await setFields(house, 'beat', first.id, 'automation_paused = true')
  await look(house, 'beat-group', group)
  const [told] = await incidentsOf(house, group, 'group')
  expect(affected(told)).toEqual([first.item, second.item])
  await setFields(house, 'beat', first.id, 'enabled = false')
  await look(house, 'beat-group', group)
  expect(affected(await incident(house, told.id))).toEqual([first.item, second.item])
})

test('a member that is switched off, or leaves, makes it no worse any more', async () => {
  const { group, first } = await groupOf(2)
  await becomes(group, first.id, 'critical')
  await setFields(house, 'beat', first.id, 'enabled = false')
  await look(house, 'beat-group', group)
  expect(await storedGroup(house, group)).toMatchObject({ current_stage: 'healthy', acted_stage: 'critical' })
  await setFields(house, 'beat', first.id, 'enabled = true')
  await look(house, 'beat-group', group)
  expect(await storedGroup(house, group)).toMatchObject({ current_stage: 'critical', transition_number: 4 })
  await setFields(house, 'beat', first.id, 'beat_group_id = null')
  await look(house, 'beat-group', group)
  expect(await storedGroup(house, group)).toMatchObject({ current_stage: 'healthy', acted_stage: 'healthy' })
})
