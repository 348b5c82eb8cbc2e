import { expect, test } from '@jest/globals'
import { actingBeat, actionsOf, carefully, goes, incident, incidentsOf, openly, setFields } from '../support/acting.ts'
import { serviceAt } from '../support/frozen-service.ts'
import type { TestService } from '../support/test-service.ts'

/** An approval executes an action with the facts of now; a refused action can be approved again with another draft. */

const begun = new Date('2026-03-02T09:00:00.000Z')
let service: TestService
serviceAt(begun, (made) => {
  service = made
})

const minutesLater = (minutes: number) => {
  service.now = new Date(service.now.getTime() + minutes * 60_000)
}
const approve = async (id: number) => (await service.admin.post(`/admin/beat-actions/${id}/approve`)).body
const last = async (id: number) => (await actionsOf(service, id)).at(-1)

/** A beat with an incident that recovery has resolved, and a draft that opens it again. */
async function reopening() {
  const critical = { ...carefully.critical, reopen_within_minutes: 30 }
  const { id } = await actingBeat(service, { action_policies: { ...openly, critical } })
  await goes(service, id, 'critical')
  const { incident: first } = await approve((await last(id)).id)
  await goes(service, id, 'healthy', 'critical')
  const action = await last(id)
  expect(action).toMatchObject({ state: 'pending_review', kind: 'reopen', draft: { incident_id: first.id } })
  return { id, first: first.id as number, action }
}

async function opensAnother(id: number, first: number, action: number) {
  expect(await incident(service, first)).toMatchObject({ status: 'resolved' })
  const again = await approve(action)
  expect(again).toMatchObject({ action: { state: 'executed', kind: 'open' }, incident: { status: 'major_outage' } })
  expect(again.incident.id).not.toBe(first)
  expect(await incidentsOf(service, id)).toMatchObject([{ id: first, status: 'resolved' }, { id: again.incident.id }])
}

test('an approval reopens an incident while the policy allows that', async () => {
  const { first, action } = await reopening()
  minutesLater(30)
  expect(await approve(action.id)).toMatchObject({ action: { state: 'executed' }, incident: { id: first } })
})

test('an approval reopens no incident on a page that keeps resolved incidents closed by then', async () => {
  const { id, first, action } = await reopening()
  await service.admin.patch('/admin/settings', { allow_reopening_closed_incidents: false })
  expect((await approve(action.id)).action).toMatchObject({
    ...{ state: 'failed', reason: 'The policy of this page does not allow reopening a resolved incident.' },
  })
  await opensAnother(id, first, action.id)
  await service.admin.patch('/admin/settings', { allow_reopening_closed_incidents: null })
})

test('an approval reopens no incident whose resolution is too long ago by then', async () => {
  const { id, first, action } = await reopening()
  minutesLater(31)
  expect((await approve(action.id)).action).toMatchObject({
    state: 'failed',
    reason: `The incident "Disruption of Payments" (${first}) was resolved more than 30 minutes ago, which is the reopen_within_minutes of the action policy.`,
  })
  await opensAnother(id, first, action.id)
})

test('an approval reopens no incident if the policy sets no reopen_within_minutes by then', async () => {
  const { id, first, action } = await reopening()
  await setFields(service, 'beat', id, `action_policies = '${JSON.stringify({ critical: carefully.critical })}'`)
  expect((await approve(action.id)).action).toMatchObject({
    ...{
      state: 'failed',
      reason: `The incident "Disruption of Payments" (${first}) is resolved, and the action policy sets no reopen_within_minutes.`,
    },
  })
  await opensAnother(id, first, action.id)
})

test('an approval opens no incident without an affected item until the beat has a freetext', async () => {
  const { id, item } = await actingBeat(service, { action_policies: carefully })
  await goes(service, id, 'critical')
  const action = await last(id)
  await service.admin.del(`/admin/hierarchy/items/${item}`)
  expect((await approve(action.id)).action).toMatchObject({
    ...{
      state: 'failed',
      reason: `The beat "pay-db-7 probe" (${id}) has no affected item and no affected_items_freetext.`,
    },
  })
  expect(await incidentsOf(service, id)).toEqual([])
  await setFields(service, 'beat', id, `affected_items_freetext = 'the shop'`)
  expect(await approve(action.id)).toMatchObject({
    ...{ action: { state: 'executed' }, incident: { affected_items_freetext: 'the shop' } },
  })
})

test('an approval opens no second incident if a person has reopened the last one by then', async () => {
  const { id } = await actingBeat(service, { action_policies: { ...openly, critical: carefully.critical } })
  await goes(service, id, 'critical')
  const { incident: first } = await approve((await last(id)).id)
  await goes(service, id, 'healthy', 'critical')
  const action = await last(id)
  expect(action).toMatchObject({ kind: 'open' })
  await service.admin.post(`/admin/incidents/${first.id}/reopen`)
  expect((await approve(action.id)).action).toMatchObject({
    ...{
      state: 'failed',
      reason: `The incident "${first.title}" (${first.id}) of the beat "pay-db-7 probe" (${id}) is open already.`,
    },
  })
  expect(await approve(action.id)).toMatchObject({
    ...{ action: { state: 'executed', kind: 'update' }, incident: { id: first.id, status: 'major_outage' } },
  })
})
