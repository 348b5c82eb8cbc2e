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
import { houseAt } from '../support/frozen-house.ts'
import type { House } from '../support/house.ts'
import { resolve } from '../support/incidents.ts'
import { storedBeat } from '../support/stored-beats.ts'

/** Actions about an incident that a person reopened, and after a suppression. */

const begun = new Date('2026-03-02T09:00:00.000Z')
let house: House
houseAt(begun, (made) => {
  house = made
})

const reopen = async (id: number) => {
  expect((await house.admin.post(`/admin/incidents/${id}/reopen`)).status).toBe(200)
}

async function recovered(fields: object = {}) {
  const { id } = await actingBeat(house, fields)
  await goes(house, id, 'critical', 'healthy')
  const [told] = await incidentsOf(house, id)
  expect(told).toMatchObject({ status: 'resolved' })
  return { id, incident: told.id as number }
}

test('an incident that a person reopened after the recovery is updated by the next outage and resolved by its end', async () => {
  const { id, incident: first } = await recovered()
  await reopen(first)
  await goes(house, id, 'warning')
  expect(await incidentsOf(house, id)).toMatchObject([{ id: first, status: 'degraded', resolved_at: null }])
  expect(await storedBeat(house, id)).toMatchObject({ current_incident_id: first })
  await goes(house, id, 'healthy')
  expect(await incidentsOf(house, id)).toMatchObject([{ id: first, status: 'resolved' }])
})

test('a draft of the next outage updates an incident that a person reopened', async () => {
  const { id, incident: first } = await recovered()
  const drafted = { action_policies: carefully, threshold_policies: { critical_rule: { consecutive_failures: 1 } } }
  await house.admin.patch(`/admin/beats/${id}`, drafted)
  await reopen(first)
  await goes(house, id, 'critical')
  const action = (await actionsOf(house, id)).at(-1)
  expect(action).toMatchObject({ kind: 'update', draft: { incident_id: first } })
  expect((await house.admin.post(`/admin/beat-actions/${action.id}/approve`)).body.incident.id).toBe(first)
})

test('recovery resolves an incident of the beat that a person reopened, although the beat posted nothing in between', async () => {
  const { id, incident: first } = await recovered({ action_policies: { ...openly, warning: {} } })
  await reopen(first)
  await goes(house, id, 'warning', 'healthy')
  expect(await incident(house, first)).toMatchObject({ status: 'resolved' })
})

test('an incident that a person resolved before the recovery and reopened after it is updated by the next outage', async () => {
  const { id } = await actingBeat(house)
  await goes(house, id, 'critical')
  const [{ id: first }] = await incidentsOf(house, id)
  await resolve(house, first)
  await goes(house, id, 'healthy')
  await reopen(first)
  await goes(house, id, 'critical')
  expect(await incidentsOf(house, id)).toMatchObject([{ id: first, status: 'major_outage' }])
})

test('a suppressed transition lists its actions instead of the reason once the suppression has ended', async () => {
  const { id, item } = await actingBeat(house)
  const window = { title: 'Upgrade', status: 'in_progress', affected_items: [{ id: item }] }
  const { body } = await house.admin.post('/admin/maintenances', window)
  await goes(house, id, 'critical')
  expect(await lastOf(house, id)).toMatchObject({
    done: [],
    because: `Waiting: the maintenance "Upgrade" (${body.id}) covers all items of the beat "pay-db-7 probe" (${id})`,
  })
  await house.admin.post(`/admin/maintenances/${body.id}/complete`)
  await look(house, 'beat', id)
  expect(await lastOf(house, id)).toEqual({
    ...{ stage: 'critical', done: ['banner N shown', 'incident "Disruption of Payments" (N) opened'] },
    because: null,
  })
})

test('a suppressed transition has another reason if there is no action after the suppression either', async () => {
  const until = new Date(begun.getTime() + 600_000)
  const { id } = await actingBeat(house, { action_policies: {}, muted_until: until })
  await goes(house, id, 'critical')
  expect(await lastOf(house, id)).toMatchObject({
    because: `Waiting: the beat "pay-db-7 probe" (${id}) is muted until ${until.toISOString()}`,
  })
  house.now = until
  await look(house, 'beat', id)
  expect(await lastOf(house, id)).toMatchObject({
    done: [],
    because: `No action: the action policies of the beat "pay-db-7 probe" (${id}) set no public post for critical`,
  })
})
