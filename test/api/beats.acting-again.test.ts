import { expect, test } from '@jest/globals'
import {
  actingBeat,
  actionsOf,
  carefully,
  goes,
  incident,
  incidentsOf,
  lastOf,
  look,
  openly,
} from '../support/acting.ts'
import { serviceAt } from '../support/frozen-service.ts'
import { resolve } from '../support/incidents.ts'
import { storedBeat } from '../support/stored-beats.ts'
import type { TestService } from '../support/test-service.ts'

/** Actions about an incident that a person reopened, and after a suppression. */

const begun = new Date('2026-03-02T09:00:00.000Z')
let service: TestService
serviceAt(begun, (made) => {
  service = made
})

const reopen = async (id: number) => {
  expect((await service.admin.post(`/admin/incidents/${id}/reopen`)).status).toBe(200)
}

async function recovered(fields: object = {}) {
  const { id } = await actingBeat(service, fields)
  await goes(service, id, 'critical', 'healthy')
  const [posted] = await incidentsOf(service, id)
  expect(posted).toMatchObject({ status: 'resolved' })
  return { id, incident: posted.id as number }
}

test('an incident that a person reopened after the recovery is updated by the next outage and resolved by its end', async () => {
  const { id, incident: first } = await recovered()
  await reopen(first)
  await goes(service, id, 'warning')
  expect(await incidentsOf(service, id)).toMatchObject([{ id: first, status: 'degraded', resolved_at: null }])
  expect(await storedBeat(service, id)).toMatchObject({ current_incident_id: first })
  await goes(service, id, 'healthy')
  expect(await incidentsOf(service, id)).toMatchObject([{ id: first, status: 'resolved' }])
})

test('a draft of the next outage updates an incident that a person reopened', async () => {
  const { id, incident: first } = await recovered()
  const drafted = { action_policies: carefully, threshold_policies: { critical_rule: { consecutive_failures: 1 } } }
  await service.admin.patch(`/admin/beats/${id}`, drafted)
  await reopen(first)
  await goes(service, id, 'critical')
  const action = (await actionsOf(service, id)).at(-1)
  expect(action).toMatchObject({ kind: 'update', draft: { incident_id: first } })
  expect((await service.admin.post(`/admin/beat-actions/${action.id}/approve`)).body.incident.id).toBe(first)
})

test('recovery resolves an incident of the beat that a person reopened, although the beat posted nothing in between', async () => {
  const { id, incident: first } = await recovered({ action_policies: { ...openly, warning: {} } })
  await reopen(first)
  await goes(service, id, 'warning', 'healthy')
  expect(await incident(service, first)).toMatchObject({ status: 'resolved' })
})

test('an incident that a person resolved before the recovery and reopened after it is updated by the next outage', async () => {
  const { id } = await actingBeat(service)
  await goes(service, id, 'critical')
  const [{ id: first }] = await incidentsOf(service, id)
  await resolve(service, first)
  await goes(service, id, 'healthy')
  await reopen(first)
  await goes(service, id, 'critical')
  expect(await incidentsOf(service, id)).toMatchObject([{ id: first, status: 'major_outage' }])
})

test('a suppressed transition lists its actions instead of the reason once the suppression has ended', async () => {
  const { id, item } = await actingBeat(service)
  const window = { title: 'Upgrade', status: 'in_progress', affected_items: [{ id: item }] }
  const { body } = await service.admin.post('/admin/maintenances', window)
  await goes(service, id, 'critical')
  expect(await lastOf(service, id)).toMatchObject({
    done: [],
    because: `Waiting: the maintenance "Upgrade" (${body.id}) covers all items of the beat "pay-db-7 probe" (${id}), until the maintenance is completed`,
  })
  await service.admin.post(`/admin/maintenances/${body.id}/complete`)
  await look(service, 'beat', id)
  expect(await lastOf(service, id)).toEqual({
    ...{ stage: 'critical', done: ['banner N shown', 'incident "Disruption of Payments" (N) opened'] },
    because: null,
  })
})

test('a suppressed transition has another reason if there is no action after the suppression either', async () => {
  const until = new Date(begun.getTime() + 600_000)
  const { id } = await actingBeat(service, { action_policies: {}, muted_until: until })
  await goes(service, id, 'critical')
  expect(await lastOf(service, id)).toMatchObject({
    because: `Waiting: the beat "pay-db-7 probe" (${id}) is muted until ${until.toISOString()}`,
  })
  service.now = until
  await look(service, 'beat', id)
  expect(await lastOf(service, id)).toMatchObject({
    done: [],
    because: `No action: the action policies of the beat "pay-db-7 probe" (${id}) set no public post for critical`,
  })
})
