import { expect, test } from '@jest/globals'
import {
  actingBeat,
  actionsOf,
  bannersOf,
  goes,
  incident,
  incidentsOf,
  lastOf,
  look,
  messagesOf,
  openly,
  see,
  setFields,
} from '../support/acting.ts'
import { serviceAt } from '../support/frozen-service.ts'
import { notesOf, resolve } from '../support/incidents.ts'
import { statusOf } from '../support/maintenances.ts'
import { storedBeat, transitionsOf } from '../support/stored-beats.ts'
import type { TestService } from '../support/test-service.ts'

const begun = new Date('2026-03-02T09:00:00.000Z')
let service: TestService
serviceAt(begun, (made) => {
  service = made
})

const minutesLater = (minutes: number) => {
  service.now = new Date(service.now.getTime() + minutes * 60_000)
}

const notificationsOf = async (kind: string, id: number) =>
  (await service.admin.get(`/admin/notifications?subject=${kind}:${id}&limit=100`)).body.notifications
    .map(({ key }: { key: string }) => key)
    .reverse()

test('the first known stage has no action and sends no notification if it is healthy', async () => {
  const { id } = await actingBeat(service)
  expect(await lastOf(service, id)).toEqual({
    ...{ stage: 'healthy', done: [] },
    because: `No action: healthy is the first known stage of the beat "pay-db-7 probe" (${id})`,
  })
  expect(await actionsOf(service, id)).toEqual([])
  expect(await notificationsOf('beat', id)).toEqual([])
})

test('an outage opens one incident with its item, a milder stage updates the incident, and recovery resolves it', async () => {
  const { id, item } = await actingBeat(service, { impact: 'Payments are slow' })
  await goes(service, id, 'critical')
  const [opened] = await incidentsOf(service, id)
  expect(opened).toMatchObject({
    ...{ status: 'major_outage', impact: 'Payments are slow', affected_items: [{ id: item }] },
    title: 'Disruption of Payments',
    lifecycle_stage: { name: 'Investigating' },
  })
  expect(await statusOf(service, item)).toBe('major_outage')
  expect(await bannersOf(service, id)).toEqual(['"pay-db-7 probe" is critical: 503 from db-7.internal'])
  expect(await storedBeat(service, id)).toMatchObject({ current_incident_id: opened.id, acted_stage: 'critical' })
  expect((await lastOf(service, id)).done).toEqual(['banner N shown', 'incident "Disruption of Payments" (N) opened'])
  await goes(service, id, 'warning')
  expect((await incident(service, opened.id)).status).toBe('degraded')
  expect(await bannersOf(service, id)).toEqual(['"pay-db-7 probe" gives a warning: 503 from db-7.internal'])
  await goes(service, id, 'healthy')
  expect(await incident(service, opened.id)).toMatchObject({
    status: 'resolved',
    lifecycle_stage: { name: 'Resolved' },
  })
  expect(await statusOf(service, item)).toBe('operational')
  expect(await bannersOf(service, id)).toEqual([])
  expect(await storedBeat(service, id)).toMatchObject({ current_incident_id: null, acted_stage: 'healthy' })
  expect(await notificationsOf('incident', opened.id)).toEqual([
    'incident.created',
    'incident.updated',
    'incident.resolved',
  ])
  expect(await notificationsOf('beat', id)).toEqual(Array(3).fill('beat.stage_changed'))
  expect(await incidentsOf(service, id)).toHaveLength(1)
})

test('the default text for the public names neither the evidence, nor the region, nor the target', async () => {
  const { id } = await actingBeat(service)
  await see(service, id, 'critical', { region: 'frankfurt', latency_ms: 17 })
  await look(service, 'beat', id)
  await goes(service, id, 'warning', 'healthy')
  const [posted] = await incidentsOf(service, id)
  const read = JSON.stringify((await service.as(undefined).get(`/incidents/${posted.id}`)).body)
  expect(read).toContain('works again')
  for (const secret of ['db-7', '503', 'frankfurt', '127.0.0.1']) expect(read).not.toContain(secret)
})

test('a repeated step takes no action twice', async () => {
  const { id } = await actingBeat(service)
  await goes(service, id, 'critical')
  await look(service, 'beat', id)
  await setFields(service, 'beat', id, "settled_number = 1, acted_stage = 'healthy'")
  await look(service, 'beat', id)
  expect(await actionsOf(service, id)).toHaveLength(1)
  expect(await incidentsOf(service, id)).toHaveLength(1)
  expect((await service.admin.get(`/admin/banners?beat_id=${id}`)).body.total).toBe(1)
})

test('concurrent steps take each action once', async () => {
  const { id } = await actingBeat(service)
  await see(service, id, 'critical')
  await Promise.all(Array.from({ length: 6 }, () => look(service, 'beat', id)))
  expect(await actionsOf(service, id)).toHaveLength(1)
  const [posted] = await incidentsOf(service, id)
  expect(await notificationsOf('incident', posted.id)).toEqual(['incident.created'])
})

test('a step takes the actions of several new transitions in their order', async () => {
  const { id } = await actingBeat(service)
  for (const stage of ['warning', 'critical', 'healthy'] as const) await see(service, id, stage)
  await look(service, 'beat', id)
  const [posted, ...more] = await incidentsOf(service, id)
  expect(more).toEqual([])
  expect(posted).toMatchObject({ status: 'resolved', initial_status: 'degraded' })
  expect(messagesOf(posted)).toHaveLength(2)
})

test('an incident that a person resolved stays resolved at a milder stage, and a worse stage opens another incident', async () => {
  const { id } = await actingBeat(service)
  await goes(service, id, 'critical')
  const [first] = await incidentsOf(service, id)
  await resolve(service, first.id)
  await goes(service, id, 'warning')
  expect(await lastOf(service, id)).toMatchObject({ done: ['banner N shown'] })
  expect((await notesOf(service, `beat:${id}`)).at(-1)).toBe(
    `transition 3 to warning: No public action: a person has ended the incident "Disruption of Payments" (${first.id}), and warning is no worse than critical`,
  )
  await goes(service, id, 'critical')
  expect(await incidentsOf(service, id)).toMatchObject([
    { id: first.id, status: 'resolved' },
    { status: 'major_outage' },
  ])
})

test('a beat whose incident a person deleted opens another incident at a worse stage', async () => {
  const { id } = await actingBeat(service)
  await goes(service, id, 'warning')
  const [first] = await incidentsOf(service, id)
  await service.admin.del(`/admin/incidents/${first.id}`)
  await goes(service, id, 'critical')
  const { current_incident_id } = await storedBeat(service, id)
  expect(current_incident_id).toBeGreaterThan(first.id)
  await service.admin.del(`/admin/incidents/${current_incident_id}`)
  await goes(service, id, 'healthy')
  expect(await lastOf(service, id)).toMatchObject({
    because: `No action: a person has ended the incident ${current_incident_id}`,
  })
  expect(await storedBeat(service, id)).toMatchObject({ current_incident_id: null })
})

test('an outage within reopen_within_minutes reopens the incident, and a later outage opens another', async () => {
  const critical = { ...openly.critical, reopen_within_minutes: 30 }
  const { id, item } = await actingBeat(service, { action_policies: { ...openly, critical } })
  await goes(service, id, 'critical', 'healthy')
  minutesLater(30)
  await goes(service, id, 'critical')
  const [first, ...none] = await incidentsOf(service, id)
  expect(none).toEqual([])
  expect(first).toMatchObject({ status: 'major_outage', resolved_at: null, affected_items: [{ id: item }] })
  await goes(service, id, 'healthy')
  minutesLater(31)
  await goes(service, id, 'critical')
  expect(await incidentsOf(service, id)).toMatchObject([
    { id: first.id, status: 'resolved' },
    { status: 'major_outage' },
  ])
})

test('an outage opens another incident on a page that keeps resolved incidents closed', async () => {
  await service.admin.patch('/admin/settings', { allow_reopening_closed_incidents: false })
  const critical = { ...openly.critical, reopen_within_minutes: 30 }
  const { id } = await actingBeat(service, { action_policies: { ...openly, critical } })
  await goes(service, id, 'critical', 'healthy', 'critical')
  expect(await incidentsOf(service, id)).toHaveLength(2)
  await service.admin.patch('/admin/settings', { allow_reopening_closed_incidents: null })
})

test('a recovery whose status is not operational leaves the incident open', async () => {
  const recovery = { ...openly.recovery, incident_status: 'degraded', lifecycle_stage_name: 'Monitoring' }
  const { id } = await actingBeat(service, { action_policies: { ...openly, recovery } })
  await goes(service, id, 'critical', 'healthy')
  const [posted] = await incidentsOf(service, id)
  expect(posted).toMatchObject({ status: 'degraded', resolved_at: null, lifecycle_stage: { name: 'Monitoring' } })
  await goes(service, id, 'critical')
  expect(await incidentsOf(service, id)).toMatchObject([{ id: posted.id, status: 'major_outage' }])
})

test('an action fails with a reason if its policy names a status or stage that the page does not have, and stops nothing else', async () => {
  const critical = { ...openly.critical, incident_status: 'burning' }
  const warning = { ...openly.warning, lifecycle_stage_name: 'Panicking' }
  const { id } = await actingBeat(service, { action_policies: { critical, warning, recovery: openly.recovery } })
  await goes(service, id, 'critical')
  expect(await actionsOf(service, id)).toMatchObject([
    { state: 'failed', reason: expect.stringContaining('"burning" is not a status of this page') },
  ])
  expect(await bannersOf(service, id)).toHaveLength(1)
  expect((await lastOf(service, id)).done).toEqual([
    'banner N shown',
    expect.stringMatching(/^action N failed: incident_status/),
  ])
  await goes(service, id, 'warning')
  expect((await actionsOf(service, id))[1]).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('Panicking'),
  })
  await goes(service, id, 'healthy')
  expect(await storedBeat(service, id)).toMatchObject({ acted_stage: 'healthy', settled_number: 4 })
})

test('a policy sets the status, the lifecycle stage and the reminders of the incident, or no action at all', async () => {
  const critical = {
    ...{ public_post: true, public_post_mode: 'automatic', incident_status: 'partial_outage' },
    ...{ lifecycle_stage_name: 'identified', reminder_interval_minutes: 15 },
  }
  const { id } = await actingBeat(service, { action_policies: { critical } })
  await goes(service, id, 'warning')
  expect(await lastOf(service, id)).toMatchObject({
    done: [],
    because: `No action: the action policies of the beat "pay-db-7 probe" (${id}) set no public post for warning`,
  })
  await goes(service, id, 'critical')
  expect(await incidentsOf(service, id)).toMatchObject([
    { status: 'partial_outage', lifecycle_stage: { name: 'Identified' }, reminder_interval_minutes: 15 },
  ])
  expect(await bannersOf(service, id)).toEqual([])
})

test('a page that requires an acknowledgement before updates still gets automatic updates', async () => {
  await service.admin.patch('/admin/settings', { require_incident_ack_before_updates: true })
  const { id } = await actingBeat(service)
  await goes(service, id, 'warning', 'critical')
  expect(await incidentsOf(service, id)).toMatchObject([{ status: 'major_outage', acknowledged_at: null }])
  await service.admin.patch('/admin/settings', { require_incident_ack_before_updates: null })
})

test('a dismissed banner stays dismissed, and a second dismissal changes nothing', async () => {
  const { id } = await actingBeat(service)
  await goes(service, id, 'critical')
  const [banner] = (await service.admin.get(`/admin/banners?beat_id=${id}`)).body.banners
  const dismissed = await service.admin.post(`/admin/banners/${banner.id}/dismiss`)
  expect(dismissed.body).toMatchObject({ dismissed_by: 'admin page_admin', dismissed_at: service.now.toISOString() })
  minutesLater(1)
  expect((await service.admin.post(`/admin/banners/${banner.id}/dismiss`)).body).toEqual(dismissed.body)
  await look(service, 'beat', id)
  expect(await bannersOf(service, id)).toEqual([])
  expect((await service.admin.get(`/admin/banners?state=dismissed&beat_id=${id}`)).body.total).toBe(1)
})

test('the numbers of concurrent transitions have no gaps', async () => {
  const { id } = await actingBeat(service)
  const stages = ['critical', 'warning', 'healthy'] as const
  await Promise.all(Array.from({ length: 12 }, (_, index) => see(service, id, stages[index % 3]!)))
  const numbers = (await transitionsOf(service, id)).map(({ number }) => number)
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  expect((await storedBeat(service, id)).transition_number).toBe(numbers.length)
})
