import { afterAll, beforeAll, expect, test } from '@jest/globals'
import {
  actingBeat,
  actionsOf,
  carefully,
  goes,
  incident,
  incidentsOf,
  insertGroup,
  lastOf,
  look,
  see,
  setFields,
} from '../support/acting.ts'
import { resolve } from '../support/incidents.ts'
import { statusOf } from '../support/maintenances.ts'
import { storedBeat } from '../support/stored-beats.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service?.close())

const approve = (id: number, body: object = {}) => service.admin.post(`/admin/beat-actions/${id}/approve`, body)
const reject = (id: number, body: object = {}) => service.admin.post(`/admin/beat-actions/${id}/reject`, body)
const read = async (id: number) => (await service.admin.get(`/admin/beat-actions/${id}`)).body

/** A beat that is critical, and the action that waits for review. */
async function waiting(fields: object = {}) {
  const beat = await actingBeat(service, { action_policies: carefully, ...fields })
  await goes(service, beat.id, 'critical')
  const [action] = await actionsOf(service, beat.id)
  return { ...beat, action }
}

test('a draft is no hidden incident, and sends a notification about the review', async () => {
  const before = (await service.admin.get('/admin/incidents')).body.total
  const { id, item, action } = await waiting()
  expect(action).toMatchObject({
    ...{
      state: 'pending_review',
      stage: 'critical',
      mode: 'draft_only',
      kind: 'open',
      title: 'Disruption of Payments',
    },
    draft: { kind: 'open', body: 'Payments is disrupted. We are looking into it.', items: [item] },
  })
  expect((await service.admin.get('/admin/incidents')).body.total).toBe(before)
  expect(await statusOf(service, item)).toBe('operational')
  const { notifications } = (await service.admin.get(`/admin/notifications?subject=beat:${id}`)).body
  expect(notifications).toMatchObject([
    { key: 'beat.review_requested', data: { beat_action_id: action.id, stage: 'critical', kind: 'open' } },
    { key: 'beat.stage_changed' },
  ])
  expect(await lastOf(service, id)).toMatchObject({ done: ['action N waits for review: opens an incident'] })
})

test('the history of a beat names the person who approved an action, and the incident that followed', async () => {
  const { id, action } = await waiting()
  const { incident: opened } = (await approve(action.id)).body
  const { body } = await service.admin.get(`/admin/workflows/beat:${id}/history`)
  expect(body.events[0].message).toBe(
    `woken by the approval of action ${action.id} by "admin page_admin": incident "Disruption of Payments" (${opened.id}) opened`,
  )
  expect(body.events.map(({ message }: { message: string }) => message)).toContain(
    'transition 2 to critical: 503 from db-7.internal',
  )
})

test('an approval posts the draft, and answers with the action, the incident and the update', async () => {
  const { id, item, action } = await waiting()
  const { status, body } = await approve(action.id)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    action: { id: action.id, state: 'executed', decided_by: 'admin page_admin', incident_id: body.incident.id },
    incident: { title: 'Disruption of Payments', status: 'major_outage', affected_items: [{ id: item }] },
    monitor: { id, current_stage: 'critical', current_incident_id: body.incident.id },
    notification_event: 'incident.created',
  })
  expect(body).not.toHaveProperty('update')
  expect(await statusOf(service, item)).toBe('major_outage')
  expect((await lastOf(service, id)).done.at(-1)).toBe('incident "Disruption of Payments" (N) opened')
  await goes(service, id, 'warning')
  const [, second] = await actionsOf(service, id)
  expect(second).toMatchObject({ kind: 'update', draft: { incident_id: body.incident.id } })
  expect((await approve(second.id)).body).toMatchObject({
    ...{ incident: { id: body.incident.id, status: 'degraded' }, notification_event: 'incident.updated' },
    update: { message: expect.stringContaining('Payments'), previous_status: 'major_outage' },
  })
  await goes(service, id, 'healthy')
  const third = (await actionsOf(service, id)).at(-1)
  expect((await incident(service, body.incident.id)).resolved_at).toBeNull()
  expect((await approve(third.id)).body).toMatchObject({
    ...{ incident: { status: 'resolved' }, update: { is_resolution: true }, notification_event: 'incident.resolved' },
  })
  expect(await storedBeat(service, id)).toMatchObject({ current_incident_id: null })
})

test('several concurrent approvals post once', async () => {
  const { id, action } = await waiting()
  const answers = await Promise.all(Array.from({ length: 5 }, () => approve(action.id)))
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200))
  expect(new Set(answers.map(({ body }) => body.incident.id)).size).toBe(1)
  expect(await incidentsOf(service, id)).toHaveLength(1)
  const { body } = await service.admin.get('/admin/audit-events?operation=beat_actions.approve')
  expect(
    body.audit_events.filter(({ subject }: { subject: object }) => 'id' in subject && subject.id === action.id),
  ).toHaveLength(1)
})

test('a rejection keeps its note, posts nothing, and is final', async () => {
  const { id, action } = await waiting()
  const rejected = await reject(action.id, { decision_note: 'A false alarm', version: 1 })
  expect(rejected.body).toMatchObject({ state: 'rejected', decision_note: 'A false alarm', version: 2 })
  expect((await reject(action.id, { decision_note: 'Again' })).body).toEqual(rejected.body)
  expect((await approve(action.id)).status).toBe(409)
  await goes(service, id, 'healthy')
  expect(await lastOf(service, id)).toMatchObject({
    because: `No action: the beat "pay-db-7 probe" (${id}) is healthy and has no open incident`,
  })
  expect(await actionsOf(service, id)).toHaveLength(1)
})

test('a newer stage supersedes a waiting action, and its recovery has no incident to resolve', async () => {
  const { id, action } = await waiting()
  await goes(service, id, 'warning')
  expect(await read(action.id)).toMatchObject({
    state: 'superseded',
    reason: `The beat "pay-db-7 probe" (${id}) is warning now.`,
  })
  expect((await approve(action.id)).status).toBe(409)
  expect((await reject(action.id)).status).toBe(409)
  await goes(service, id, 'healthy')
  expect((await actionsOf(service, id)).map(({ state }: { state: string }) => state)).toEqual([
    'superseded',
    'superseded',
  ])
  expect(await incidentsOf(service, id)).toEqual([])
})

test('an action of an earlier stage is not approved, even before the next step of the process', async () => {
  const { id, action } = await waiting()
  await see(service, id, 'healthy')
  const refused = await approve(action.id)
  expect(refused.status).toBe(409)
  expect(refused.body.error).toBe(
    `The beat "pay-db-7 probe" (${id}) is healthy since its transition 3: action ${action.id} is about an earlier one.`,
  )
  expect(await read(action.id)).toMatchObject({ state: 'pending_review' })
})

test('an approval concurrent with a recovery leaves no open incident', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id, action } = await waiting()
    await see(service, id, 'healthy')
    await Promise.all([approve(action.id), look(service, 'beat', id)])
    expect(['superseded', 'executed']).toContain((await read(action.id)).state)
    for (const posted of await incidentsOf(service, id)) expect(posted.status).toBe('resolved')
  }
})

test('an update of an incident that was resolved meanwhile fails with a reason', async () => {
  const { id, action } = await waiting()
  const { body } = await approve(action.id)
  await goes(service, id, 'warning')
  await resolve(service, body.incident.id)
  const [, second] = await actionsOf(service, id)
  const failed = await approve(second.id)
  expect(failed.status).toBe(200)
  expect(failed.body.action).toMatchObject({
    ...{
      state: 'failed',
      reason: `The incident "${body.incident.title}" (${body.incident.id}) was resolved meanwhile.`,
    },
  })
  expect((await incident(service, body.incident.id)).updates).toHaveLength(1)
})

test('a recovery whose incident was resolved meanwhile is executed without a post', async () => {
  const { id, action } = await waiting()
  const { body } = await approve(action.id)
  await goes(service, id, 'healthy')
  await resolve(service, body.incident.id)
  const [, second] = await actionsOf(service, id)
  expect((await approve(second.id)).body.action).toMatchObject({
    ...{
      state: 'executed',
      reason: `The incident "${body.incident.title}" (${body.incident.id}) was resolved already.`,
    },
  })
  expect((await incident(service, body.incident.id)).updates).toHaveLength(1)
})

test('a failed action can be approved once the page has its status', async () => {
  const critical = { ...carefully.critical, incident_status: 'smoking' }
  const { action } = await waiting({ action_policies: { critical } })
  expect((await approve(action.id)).body.action).toMatchObject({ state: 'failed' })
  await service.admin.post('/admin/status-types', { key: 'smoking', name: 'Smoking', color: '#000000' })
  expect((await approve(action.id)).body).toMatchObject({
    action: { state: 'executed' },
    incident: { status: 'smoking' },
  })
  expect((await read(action.id)).reason).toBeUndefined()
})

test('a draft from before the beat joined a group is not approved', async () => {
  const { id, action } = await waiting()
  await setFields(service, 'beat', id, `beat_group_id = ${await insertGroup(service)}`)
  expect((await approve(action.id)).body).toMatchObject({
    code: 'conflict',
    error: expect.stringContaining('is a member of the group'),
  })
  expect((await reject(action.id)).status).toBe(200)
})

test('an approval leaves out an item that was deleted meanwhile', async () => {
  const { action, item } = await waiting({ affected_items_freetext: 'the shop' })
  await service.admin.del(`/admin/hierarchy/items/${item}`)
  expect((await approve(action.id)).body.incident).toMatchObject({
    ...{ affected_items: [], affected_items_freetext: 'the shop' },
  })
})

test('a stale version is a conflict, and a list can be filtered by the state of the actions', async () => {
  const { id, action } = await waiting()
  expect((await approve(action.id, { version: 7 })).body).toMatchObject({
    code: 'version_conflict',
    current_version: 1,
  })
  const { body } = await service.admin.get(`/admin/beat-actions?state=pending_review&beat_id=${id}`)
  expect(body).toMatchObject({ total: 1, beat_actions: [{ id: action.id, title: 'Disruption of Payments' }] })
  expect(body.beat_actions[0]).not.toHaveProperty('draft')
  const viewer = service.as(await service.token({ permission: 'read' }))
  expect((await viewer.get(`/admin/beat-actions/${action.id}`)).status).toBe(200)
  expect((await viewer.post(`/admin/beat-actions/${action.id}/approve`)).status).toBe(403)
})
