import { describe, expect, test } from '@jest/globals'
import { actingBeat, actionsOf, carefully, goes, incidentsOf, insertGroup, look, openly } from '../support/acting.ts'
import { groupsIn, groupTransitions, incidentState, storedGroup } from '../support/acting-groups.ts'
import { serviceAt } from '../support/frozen-service.ts'
import { notesOf, processOf } from '../support/incidents.ts'
import { statusOf } from '../support/maintenances.ts'
import { storedBeat } from '../support/stored-beats.ts'
import type { TestService } from '../support/test-service.ts'

/** An incident stays with the beat or the group that opened it, also when members join, leave or are deleted. */

const begun = new Date('2026-03-02T09:00:00.000Z')
let service: TestService
serviceAt(begun, (made) => {
  service = made
})

const { groupOf, becomes, lookAt, members, leave, post, illGroup } = groupsIn(() => service)
const historyOf = async (process: string): Promise<string[]> =>
  (await service.admin.get(`/admin/workflows/${process}/history`)).body.events.map(
    ({ message }: { message: string }) => message,
  )

test('the items of a member that leaves end at once in the open incident, which stays with the group', async () => {
  const { group, first, second, incident } = await illGroup(2)
  await leave(group, first.id)
  expect(await incidentState(service, incident)).toMatchObject({ open: true, items: [second.item], messages: [] })
  expect(await statusOf(service, first.item)).toBe('operational')
  expect(await historyOf(`beat-group:${group}`)).toContain(
    `woken by the beat "pay-db-7 probe" (${first.id}) left the group while critical: the incident "Disruption of Payments" (${incident}) no longer affects the item "Payments" (${first.item}), and stays with the group "Payments group" (${group})`,
  )
  await lookAt(group)
  await becomes(group, second.id, 'healthy')
  expect(await incidentState(service, incident)).toMatchObject({ open: false, messages: ['Payments works again.'] })
})

test('a beat that left its group posts nothing until its stage changes, and then follows its own policies', async () => {
  const { group, first, second } = await illGroup(2)
  await service.admin.patch(`/admin/beat-groups/${group}`, { name: 'Renamed', member_monitor_ids: [second.id] })
  expect(await storedGroup(service, group)).toMatchObject({ name: 'Renamed' })
  expect((await historyOf(`beat-group:${group}`)).join()).toContain(
    `the beat "pay-db-7 probe" (${first.id}) left the group while critical: the incident`,
  )
  await look(service, 'beat', first.id)
  expect(await incidentsOf(service, first.id)).toEqual([])
  await goes(service, first.id, 'warning')
  expect(await incidentsOf(service, first.id)).toMatchObject([{ status: 'degraded' }])
})

test('a group recovers when its only ill member leaves, and resolves its incident', async () => {
  const { group, first, second, incident } = await illGroup(1)
  await members(group, [second.id])
  await lookAt(group)
  expect(await storedGroup(service, group)).toMatchObject({ current_stage: 'healthy', acted_stage: 'healthy' })
  expect(await incidentState(service, incident)).toMatchObject({ open: false })
  expect(await storedBeat(service, first.id)).toMatchObject({ current_incident_id: null, counted_stage: null })
})

const causeOf = async (group: number) => (await groupTransitions(service, group)).at(-1)!.cause

test.each([
  [
    'leaves',
    (group: number, id: number) => leave(group, id),
    () => 'a member that was critical left the group or was deleted',
  ],
  [
    'is deleted',
    (_group: number, id: number) => service.admin.del(`/admin/beats/${id}`),
    () => 'a member that was critical left the group or was deleted',
  ],
  [
    'is disabled',
    (_group: number, id: number) =>
      service.admin.patch(`/admin/beats/${id}`, {
        ...{ enabled: false, threshold_policies: { critical_rule: { consecutive_failures: 1 } } },
      }),
    (id: number) => `the beat "pay-db-7 probe" (${id}), which was critical, is disabled`,
  ],
] as const)('the recovery of a group whose only ill member %s says so', async (_how, change, because) => {
  const { group, first, second } = await illGroup(1)
  await change(group, first.id)
  await lookAt(group)
  expect(await causeOf(group)).toBe(
    `${because(first.id)}: the stage is that of the beat "pay-db-7 probe" (${second.id}), which counts as healthy, the worst stage of the enabled members`,
  )
})

test('the cause of the stage of a group is the ill member that joins, and then its recovery', async () => {
  const { group, first, second } = await groupOf(2)
  const { id } = await actingBeat(service)
  await goes(service, id, 'critical')
  await members(group, [first.id, second.id, id])
  await lookAt(group)
  const name = `the beat "pay-db-7 probe" (${id})`
  expect(await causeOf(group)).toBe(
    `${name} joined the group or was enabled: the stage is that of ${name}, which counts as critical, the worst stage of the enabled members`,
  )
  await becomes(group, id, 'healthy')
  expect(await causeOf(group)).toBe(`transition 3 to healthy of ${name}, the worst of the enabled members`)
})

test('the cause of a milder stage of a group is the member that recovers', async () => {
  const { group, first, second } = await groupOf(2)
  await goes(service, second.id, 'warning')
  await becomes(group, first.id, 'critical')
  await becomes(group, first.id, 'healthy')
  expect(await causeOf(group)).toBe(
    `the beat "pay-db-7 probe" (${first.id}) is no longer critical: the stage is that of the beat "pay-db-7 probe" (${second.id}), which counts as warning, the worst stage of the enabled members`,
  )
})

test('an item that another ill member names too stays affected when one of the members leaves', async () => {
  const { group, first, second, incident } = await illGroup(2)
  await service.admin.patch(`/admin/beats/${second.id}`, {
    ...{ component_ids: [first.item, second.item], threshold_policies: { critical_rule: { consecutive_failures: 1 } } },
  })
  await leave(group, first.id)
  expect(await incidentState(service, incident)).toMatchObject({ items: [first.item, second.item] })
})

test('the items of a member that joins while ill are affected from the next step of the group, without an update', async () => {
  const { group, first, second, incident } = await illGroup(1)
  const joining = await groupOf(1)
  await becomes(joining.group, joining.first.id, 'critical')
  await leave(joining.group, joining.first.id, group)
  await lookAt(group)
  expect(await incidentState(service, incident)).toMatchObject({
    ...{ open: true, items: [first.item, joining.first.item], messages: [] },
  })
  expect(await statusOf(service, second.item)).toBe('operational')
})

test('the items of a deleted member leave the incident, and recovery of the others resolves the incident', async () => {
  const { group, first, second, incident } = await illGroup(2)
  await service.admin.del(`/admin/beats/${first.id}`)
  expect(await incidentState(service, incident)).toMatchObject({ open: true, items: [second.item], messages: [] })
  expect((await historyOf(`beat-group:${group}`)).join()).toContain(
    `the beat "pay-db-7 probe" (${first.id}) was deleted while critical: the incident`,
  )
  await lookAt(group)
  await becomes(group, second.id, 'healthy')
  expect(await incidentState(service, incident)).toMatchObject({ open: false })
})

test('the incident of a deleted group stays open for a person, and both the answer and its history name the reason', async () => {
  const { group, first, second, incident } = await illGroup(2)
  const { body } = await service.admin.del(`/admin/beat-groups/${group}`)
  expect(body.message).toBe(
    `The group "Payments group" (${group}) was deleted. The incident "Disruption of Payments" (${incident}) stays open for a person to resolve.`,
  )
  expect(await historyOf(`incident:${incident}`)).toContain(
    `woken by the deletion of the group "Payments group" (${group}), which owned the incident: a person resolves it`,
  )
  for (const { id } of [first, second]) await goes(service, id, 'healthy')
  expect(await incidentState(service, incident)).toMatchObject({ open: true, messages: [] })
  await goes(service, first.id, 'critical')
  expect(await incidentsOf(service, first.id)).toHaveLength(1)
})

test('the incident of a deleted beat stays open for a person, and the answer names the incident', async () => {
  const { id } = await actingBeat(service)
  await goes(service, id, 'critical')
  const [{ id: incident }] = await incidentsOf(service, id)
  const { body } = await service.admin.del(`/admin/beats/${id}`)
  expect(body.message).toBe(
    `The beat "pay-db-7 probe" (${id}) was deleted. The incident "Disruption of Payments" (${incident}) stays open for a person to resolve.`,
  )
  expect(await incidentState(service, incident)).toMatchObject({ open: true })
})

describe('a beat that joins a group while it owns an open incident', () => {
  async function joined(policies: Record<string, unknown> = openly) {
    const { id, item } = await actingBeat(service, { action_policies: policies })
    await goes(service, id, 'warning')
    const [{ id: own }] = await incidentsOf(service, id)
    const group = await insertGroup(service)
    await members(group, [id])
    await look(service, 'beat', id)
    await lookAt(group)
    return { id, item, own: own as number, group }
  }

  test('updates and resolves that incident by its own policies, and the group opens no second incident', async () => {
    const { id, item, own, group } = await joined()
    const waiting = `the beat "pay-db-7 probe" (${id}) owns the open incident "Problems with Payments" (${own})`
    expect((await groupTransitions(service, group)).at(-1)).toMatchObject({ not_acted_because: `Waiting: ${waiting}` })
    expect((await processOf(service, `beat-group:${group}`)).waiting_for).toContain(waiting)
    await becomes(group, id, 'critical')
    expect(await incidentState(service, own)).toMatchObject({ status: 'major_outage', items: [item] })
    expect(await incidentsOf(service, group, 'group')).toEqual([])
    await becomes(group, id, 'healthy')
    expect(await incidentState(service, own)).toMatchObject({ open: false })
    await becomes(group, id, 'critical')
    expect(await incidentsOf(service, id)).toHaveLength(1)
    expect(await incidentsOf(service, group, 'group')).toMatchObject([{ status: 'major_outage' }])
  })

  test('does not keep the group from an incident about the next ill member', async () => {
    const { id, own, group } = await joined()
    const other = await actingBeat(service)
    await members(group, [id, other.id])
    await becomes(group, other.id, 'critical')
    const [opened] = await incidentsOf(service, group, 'group')
    expect(await incidentState(service, opened.id)).toMatchObject({ open: true, status: 'major_outage' })
    expect(await incidentState(service, own)).toMatchObject({ open: true, status: 'degraded' })
  })

  test('keeps the draft that resolves its incident', async () => {
    const { id, own, group } = await joined({ ...openly, recovery: carefully.recovery })
    await becomes(group, id, 'healthy')
    const waiting = (await actionsOf(service, id)).at(-1)
    expect(waiting).toMatchObject({ state: 'pending_review', kind: 'resolve' })
    expect(await post(`/beat-actions/${waiting.id}/approve`)).toMatchObject({ status: 200 })
    expect(await incidentState(service, own)).toMatchObject({ open: false })
  })
})

test('the draft of a beat without an incident is superseded when the beat joins a group', async () => {
  const { id } = await actingBeat(service, { action_policies: carefully })
  await goes(service, id, 'critical')
  const group = await insertGroup(service, { action_policies: carefully })
  await members(group, [id])
  await look(service, 'beat', id)
  await lookAt(group)
  const reason = `The beat "pay-db-7 probe" (${id}) is a member of the group "Payments group" (${group}), which takes all public actions.`
  expect(await actionsOf(service, id)).toMatchObject([{ state: 'superseded', reason }])
  expect((await notesOf(service, `beat:${id}`)).join()).toContain(`superseded: ${reason}`)
  const { body } = await service.admin.get('/admin/beat-actions?state=pending_review')
  expect(body.beat_actions).toMatchObject([{ beat_group_id: group, stage: 'critical' }])
})
