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

/** What acts goes on with what it told before, be it that somebody has opened that again; and says what it did in the end. */

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

test('an incident that recovery ended and somebody opened again tells of the next outage, and ends with it', async () => {
  const { id, incident: first } = await recovered()
  await reopen(first)
  await goes(house, id, 'warning')
  expect(await incidentsOf(house, id)).toMatchObject([{ id: first, status: 'degraded', resolved_at: null }])
  expect(await storedBeat(house, id)).toMatchObject({ current_incident_id: first })
  await goes(house, id, 'healthy')
  expect(await incidentsOf(house, id)).toMatchObject([{ id: first, status: 'resolved' }])
})

test('the same where each post is reviewed', async () => {
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

test('one that somebody ended by hand before the recovery, and opened again, goes on as well', async () => {
  const { id } = await actingBeat(house)
  await goes(house, id, 'critical')
  const [{ id: first }] = await incidentsOf(house, id)
  await resolve(house, first)
  await goes(house, id, 'healthy')
  await reopen(first)
  await goes(house, id, 'critical')
  expect(await incidentsOf(house, id)).toMatchObject([{ id: first, status: 'major_outage' }])
})

test('a change that was held back says no more why, once it was acted on', async () => {
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

test('a change that was held back says why nothing was done in the end', async () => {
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
