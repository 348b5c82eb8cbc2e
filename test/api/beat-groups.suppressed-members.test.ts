import { expect, test } from '@jest/globals'
import { workflowIdOf } from '../../workflows/processes.ts'
import { actingBeat, incidentsOf, look } from '../support/acting.ts'
import { groupsIn, groupTransitions, incidentState, storedGroup } from '../support/acting-groups.ts'
import { serviceAt } from '../support/frozen-service.ts'
import { processOf } from '../support/incidents.ts'
import type { TestService } from '../support/test-service.ts'

/** The stage with which a suppressed or disabled member counts in its group. */

const begun = new Date('2026-03-02T09:00:00.000Z')
let service: TestService
serviceAt(begun, (made) => {
  service = made
})

const at = (minutes: number) => new Date(begun.getTime() + minutes * 60_000)
const rules = { threshold_policies: { critical_rule: { consecutive_failures: 1 } } }

const { groupOf, becomes, onlyIncident, lookAt, members, post, illGroup } = groupsIn(() => service)

/** Each way to suppress a member: how a person begins and ends the suppression, and the reason in the notes. */
const suppressions = {
  muted: {
    begin: ({ id }: { id: number }) => post(`/beats/${id}/mute`, { muted_until: at(10).toISOString() }),
    end: async () => {
      service.now = at(10)
    },
    because: (name: string) => `${name} is muted until ${at(10).toISOString()}`,
  },
  paused: {
    begin: ({ id }: { id: number }) => automation(id, true),
    end: ({ id }: { id: number }) => automation(id, false),
    because: (name: string) => `the automation of ${name} is paused`,
  },
}
const automation = (id: number, automation_paused: boolean) =>
  service.admin.patch(`/admin/beats/${id}`, { automation_paused, ...rules })
const cases = Object.entries(suppressions)

test.each(cases)(
  'a member that is %s while healthy counts as healthy until that ends',
  async (_how, { begin, end, because }) => {
    const { group, first, second } = await groupOf(2)
    await begin(first)
    await becomes(group, first.id, 'critical')
    expect(await storedGroup(service, group)).toMatchObject({ current_stage: 'healthy' })
    const name = `the beat "pay-db-7 probe" (${first.id})`
    expect((await processOf(service, `beat-group:${group}`)).waiting_for).toBe(
      `a change of one of its members; ${because(name)}: ${name} counts as healthy, not as critical`,
    )
    await becomes(group, second.id, 'warning')
    const incident = await onlyIncident(group)
    expect(await incidentState(service, incident)).toMatchObject({ status: 'degraded', items: [second.item] })
    await end(first)
    await lookAt(group)
    expect(await incidentState(service, incident)).toMatchObject({
      ...{ status: 'major_outage', items: [second.item, first.item] },
    })
  },
)

test.each(cases)(
  'a member that is %s while critical counts as critical until that ends',
  async (_how, { begin, end }) => {
    const { group, first, incident } = await illGroup(1)
    await begin(first)
    await becomes(group, first.id, 'healthy')
    expect(await incidentState(service, incident)).toMatchObject({ open: true, items: [first.item], messages: [] })
    expect(await storedGroup(service, group)).toMatchObject({ current_stage: 'critical', acted_stage: 'critical' })
    await end(first)
    await lookAt(group)
    expect(await incidentState(service, incident)).toMatchObject({ open: false, messages: ['Payments works again.'] })
  },
)

test('the process of a group waits for the end of the mute of a member whose stage has changed', async () => {
  const { group, first } = await illGroup(1)
  await suppressions.muted.begin(first)
  await becomes(group, first.id, 'healthy')
  expect(await processOf(service, `beat-group:${group}`)).toMatchObject({ until: at(10).toISOString() })
})

test('a member under maintenance counts with the stage from before the maintenance, and as it is afterwards', async () => {
  const { group, first, second } = await groupOf(2)
  const window = { title: 'Work', description: 'Work', affected_items: [{ id: first.item }] }
  const times = { scheduled_start_time: at(0).toISOString(), scheduled_end_time: at(60).toISOString() }
  const made = await post('/maintenances', { ...window, ...times })
  await post(`/maintenances/${made.body.id}/start`)
  await becomes(group, first.id, 'critical')
  expect(await incidentsOf(service, group, 'group')).toEqual([])
  await becomes(group, second.id, 'warning')
  const incident = await onlyIncident(group)
  await becomes(group, second.id, 'healthy')
  expect(await incidentState(service, incident)).toMatchObject({ open: false, messages: ['Payments works again.'] })
  expect((await groupTransitions(service, group)).map(({ to_stage }) => to_stage)).toEqual([
    ...['healthy', 'warning', 'healthy'],
  ])
  const woken = service.woken.length
  await post(`/maintenances/${made.body.id}/complete`)
  expect(service.woken.slice(woken).map(workflowIdOf)).toContain(`beat-group:${group}`)
  await lookAt(group)
  expect(await storedGroup(service, group)).toMatchObject({ current_stage: 'critical' })
})

test('a member that joins while muted counts with the stage from before the mute', async () => {
  const { group, first } = await groupOf(1)
  const { id } = await actingBeat(service)
  await suppressions.muted.begin({ id })
  await becomes(group, id, 'critical')
  await members(group, [first.id, id])
  await lookAt(group)
  expect(await storedGroup(service, group)).toMatchObject({ current_stage: 'healthy' })
})

test('a disabled member does not count: the group recovers, and its incident is resolved', async () => {
  const { group, first, incident } = await illGroup(1)
  await post(`/beats/${first.id}/pause`)
  await lookAt(group)
  expect(await incidentState(service, incident)).toMatchObject({ open: false })
  expect((await groupTransitions(service, group)).at(-1)).toMatchObject({ to_stage: 'healthy' })
  await post(`/beats/${first.id}/resume`)
  await lookAt(group)
  expect(await storedGroup(service, group)).toMatchObject({ current_stage: 'critical', transition_number: 4 })
})

test('the items of a disabled member leave the open incident while another member is ill', async () => {
  const { group, first, second, incident } = await illGroup(2)
  await post(`/beats/${first.id}/pause`)
  await lookAt(group)
  expect(await incidentState(service, incident)).toMatchObject({ open: true, items: [second.item], messages: [] })
})

test('a group without enabled members has no stage and keeps its incident open, and its process names the incident', async () => {
  const { group, first, second, incident } = await illGroup(1)
  for (const { id } of [second, first]) await post(`/beats/${id}/pause`)
  await lookAt(group)
  expect(await storedGroup(service, group)).toMatchObject({ current_stage: null, acted_stage: 'critical' })
  expect((await processOf(service, `beat-group:${group}`)).waiting_for).toBe(
    `a stage of one of its members; until then the incident "Disruption of Payments" (${incident}) stays open for a person to resolve`,
  )
  expect(await incidentState(service, incident)).toMatchObject({ open: true, messages: [] })
  for (const { id } of [first, second]) await post(`/beats/${id}/resume`)
  await look(service, 'beat', first.id)
  await becomes(group, first.id, 'healthy')
  expect(await incidentState(service, incident)).toMatchObject({ open: false, messages: ['Payments works again.'] })
})

test('an incident that a person resolves stays resolved until the stage of the group gets worse', async () => {
  const { group, first, second, incident } = await illGroup(1)
  await post(`/incidents/${incident}/resolve`)
  await becomes(group, second.id, 'critical')
  await becomes(group, first.id, 'warning')
  await becomes(group, second.id, 'warning')
  expect(await incidentsOf(service, group, 'group')).toHaveLength(1)
  await becomes(group, second.id, 'critical')
  const [, another, ...more] = await incidentsOf(service, group, 'group')
  expect(more).toEqual([])
  expect(await incidentState(service, another.id)).toMatchObject({ open: true, items: [first.item, second.item] })
})
