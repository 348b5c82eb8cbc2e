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
import { houseAt } from '../support/frozen-house.ts'
import type { House } from '../support/house.ts'
import { notesOf, resolve } from '../support/incidents.ts'
import { statusOf } from '../support/maintenances.ts'
import { storedBeat, transitionsOf } from '../support/stored-beats.ts'

const begun = new Date('2026-03-02T09:00:00.000Z')
let house: House
houseAt(begun, (made) => {
  house = made
})

const minutesLater = (minutes: number) => {
  house.now = new Date(house.now.getTime() + minutes * 60_000)
}

const toldOf = async (kind: string, id: number) =>
  (await house.admin.get(`/admin/notifications?subject=${kind}:${id}&limit=100`)).body.notifications
    .map(({ key }: { key: string }) => key)
    .reverse()

test('the first known stage has no action and sends no notification if it is healthy', async () => {
  const { id } = await actingBeat(house)
  expect(await lastOf(house, id)).toEqual({
    ...{ stage: 'healthy', done: [] },
    because: `No action: healthy is the first known stage of the beat "pay-db-7 probe" (${id})`,
  })
  expect(await actionsOf(house, id)).toEqual([])
  expect(await toldOf('beat', id)).toEqual([])
})

test('an outage opens one incident with its item, a milder stage updates the incident, and recovery resolves it', async () => {
  const { id, item } = await actingBeat(house, { impact: 'Payments are slow' })
  await goes(house, id, 'critical')
  const [opened] = await incidentsOf(house, id)
  expect(opened).toMatchObject({
    ...{ status: 'major_outage', impact: 'Payments are slow', affected_items: [{ id: item }] },
    title: 'Disruption of Payments',
    lifecycle_stage: { name: 'Investigating' },
  })
  expect(await statusOf(house, item)).toBe('major_outage')
  expect(await bannersOf(house, id)).toEqual(['"pay-db-7 probe" is critical: 503 from db-7.internal'])
  expect(await storedBeat(house, id)).toMatchObject({ current_incident_id: opened.id, acted_stage: 'critical' })
  expect((await lastOf(house, id)).done).toEqual(['banner N shown', 'incident "Disruption of Payments" (N) opened'])
  await goes(house, id, 'warning')
  expect((await incident(house, opened.id)).status).toBe('degraded')
  expect(await bannersOf(house, id)).toEqual(['"pay-db-7 probe" gives a warning: 503 from db-7.internal'])
  await goes(house, id, 'healthy')
  expect(await incident(house, opened.id)).toMatchObject({ status: 'resolved', lifecycle_stage: { name: 'Resolved' } })
  expect(await statusOf(house, item)).toBe('operational')
  expect(await bannersOf(house, id)).toEqual([])
  expect(await storedBeat(house, id)).toMatchObject({ current_incident_id: null, acted_stage: 'healthy' })
  expect(await toldOf('incident', opened.id)).toEqual(['incident.created', 'incident.updated', 'incident.resolved'])
  expect(await toldOf('beat', id)).toEqual(Array(3).fill('beat.stage_changed'))
  expect(await incidentsOf(house, id)).toHaveLength(1)
})

test('the default text for the public names neither the evidence, nor the region, nor the target', async () => {
  const { id } = await actingBeat(house)
  await see(house, id, 'critical', { region: 'frankfurt', latency_ms: 17 })
  await look(house, 'beat', id)
  await goes(house, id, 'warning', 'healthy')
  const [told] = await incidentsOf(house, id)
  const read = JSON.stringify((await house.as(undefined).get(`/incidents/${told.id}`)).body)
  expect(read).toContain('works again')
  for (const secret of ['db-7', '503', 'frankfurt', '127.0.0.1']) expect(read).not.toContain(secret)
})

test('a repeated step takes no action twice', async () => {
  const { id } = await actingBeat(house)
  await goes(house, id, 'critical')
  await look(house, 'beat', id)
  await setFields(house, 'beat', id, "settled_number = 1, acted_stage = 'healthy'")
  await look(house, 'beat', id)
  expect(await actionsOf(house, id)).toHaveLength(1)
  expect(await incidentsOf(house, id)).toHaveLength(1)
  expect((await house.admin.get(`/admin/banners?beat_id=${id}`)).body.total).toBe(1)
})

test('concurrent steps take each action once', async () => {
  const { id } = await actingBeat(house)
  await see(house, id, 'critical')
  await Promise.all(Array.from({ length: 6 }, () => look(house, 'beat', id)))
  expect(await actionsOf(house, id)).toHaveLength(1)
  const [told] = await incidentsOf(house, id)
  expect(await toldOf('incident', told.id)).toEqual(['incident.created'])
})

test('a step takes the actions of several new transitions in their order', async () => {
  const { id } = await actingBeat(house)
  for (const stage of ['warning', 'critical', 'healthy'] as const) await see(house, id, stage)
  await look(house, 'beat', id)
  const [told, ...more] = await incidentsOf(house, id)
  expect(more).toEqual([])
  expect(told).toMatchObject({ status: 'resolved', initial_status: 'degraded' })
  expect(messagesOf(told)).toHaveLength(2)
})

test('an incident that a person resolved stays resolved at a milder stage, and a worse stage opens another incident', async () => {
  const { id } = await actingBeat(house)
  await goes(house, id, 'critical')
  const [first] = await incidentsOf(house, id)
  await resolve(house, first.id)
  await goes(house, id, 'warning')
  expect(await lastOf(house, id)).toMatchObject({ done: ['banner N shown'] })
  expect((await notesOf(house, `beat:${id}`)).at(-1)).toBe(
    `transition 3 to warning: No public action: a person has ended the incident "Disruption of Payments" (${first.id}), and warning is no worse than critical`,
  )
  await goes(house, id, 'critical')
  expect(await incidentsOf(house, id)).toMatchObject([{ id: first.id, status: 'resolved' }, { status: 'major_outage' }])
})

test('a beat whose incident a person deleted opens another incident at a worse stage', async () => {
  const { id } = await actingBeat(house)
  await goes(house, id, 'warning')
  const [first] = await incidentsOf(house, id)
  await house.admin.del(`/admin/incidents/${first.id}`)
  await goes(house, id, 'critical')
  const { current_incident_id } = await storedBeat(house, id)
  expect(current_incident_id).toBeGreaterThan(first.id)
  await house.admin.del(`/admin/incidents/${current_incident_id}`)
  await goes(house, id, 'healthy')
  expect(await lastOf(house, id)).toMatchObject({
    because: `No action: a person has ended the incident ${current_incident_id}`,
  })
  expect(await storedBeat(house, id)).toMatchObject({ current_incident_id: null })
})

test('an outage within reopen_within_minutes reopens the incident, and a later outage opens another', async () => {
  const critical = { ...openly.critical, reopen_within_minutes: 30 }
  const { id, item } = await actingBeat(house, { action_policies: { ...openly, critical } })
  await goes(house, id, 'critical', 'healthy')
  minutesLater(30)
  await goes(house, id, 'critical')
  const [first, ...none] = await incidentsOf(house, id)
  expect(none).toEqual([])
  expect(first).toMatchObject({ status: 'major_outage', resolved_at: null, affected_items: [{ id: item }] })
  await goes(house, id, 'healthy')
  minutesLater(31)
  await goes(house, id, 'critical')
  expect(await incidentsOf(house, id)).toMatchObject([{ id: first.id, status: 'resolved' }, { status: 'major_outage' }])
})

test('an outage opens another incident on a page that keeps resolved incidents closed', async () => {
  await house.admin.patch('/admin/settings', { allow_reopening_closed_incidents: false })
  const critical = { ...openly.critical, reopen_within_minutes: 30 }
  const { id } = await actingBeat(house, { action_policies: { ...openly, critical } })
  await goes(house, id, 'critical', 'healthy', 'critical')
  expect(await incidentsOf(house, id)).toHaveLength(2)
  await house.admin.patch('/admin/settings', { allow_reopening_closed_incidents: null })
})

test('a recovery whose status is not operational leaves the incident open', async () => {
  const recovery = { ...openly.recovery, incident_status: 'degraded', lifecycle_stage_name: 'Monitoring' }
  const { id } = await actingBeat(house, { action_policies: { ...openly, recovery } })
  await goes(house, id, 'critical', 'healthy')
  const [told] = await incidentsOf(house, id)
  expect(told).toMatchObject({ status: 'degraded', resolved_at: null, lifecycle_stage: { name: 'Monitoring' } })
  await goes(house, id, 'critical')
  expect(await incidentsOf(house, id)).toMatchObject([{ id: told.id, status: 'major_outage' }])
})

test('an action fails with a reason if its policy names a status or stage that the page does not have, and stops nothing else', async () => {
  const critical = { ...openly.critical, incident_status: 'burning' }
  const warning = { ...openly.warning, lifecycle_stage_name: 'Panicking' }
  const { id } = await actingBeat(house, { action_policies: { critical, warning, recovery: openly.recovery } })
  await goes(house, id, 'critical')
  expect(await actionsOf(house, id)).toMatchObject([
    { state: 'failed', reason: expect.stringContaining('"burning" is not a status of this page') },
  ])
  expect(await bannersOf(house, id)).toHaveLength(1)
  expect((await lastOf(house, id)).done).toEqual([
    'banner N shown',
    expect.stringMatching(/^action N failed: incident_status/),
  ])
  await goes(house, id, 'warning')
  expect((await actionsOf(house, id))[1]).toMatchObject({
    state: 'failed',
    reason: expect.stringContaining('Panicking'),
  })
  await goes(house, id, 'healthy')
  expect(await storedBeat(house, id)).toMatchObject({ acted_stage: 'healthy', settled_number: 4 })
})

test('a policy sets the status, the lifecycle stage and the reminders of the incident, or no action at all', async () => {
  const critical = {
    ...{ public_post: true, public_post_mode: 'automatic', incident_status: 'partial_outage' },
    ...{ lifecycle_stage_name: 'identified', reminder_interval_minutes: 15 },
  }
  const { id } = await actingBeat(house, { action_policies: { critical } })
  await goes(house, id, 'warning')
  expect(await lastOf(house, id)).toMatchObject({
    done: [],
    because: `No action: the action policies of the beat "pay-db-7 probe" (${id}) set no public post for warning`,
  })
  await goes(house, id, 'critical')
  expect(await incidentsOf(house, id)).toMatchObject([
    { status: 'partial_outage', lifecycle_stage: { name: 'Identified' }, reminder_interval_minutes: 15 },
  ])
  expect(await bannersOf(house, id)).toEqual([])
})

test('a page that requires an acknowledgement before updates still gets automatic updates', async () => {
  await house.admin.patch('/admin/settings', { require_incident_ack_before_updates: true })
  const { id } = await actingBeat(house)
  await goes(house, id, 'warning', 'critical')
  expect(await incidentsOf(house, id)).toMatchObject([{ status: 'major_outage', acknowledged_at: null }])
  await house.admin.patch('/admin/settings', { require_incident_ack_before_updates: null })
})

test('a dismissed banner stays dismissed, and a second dismissal changes nothing', async () => {
  const { id } = await actingBeat(house)
  await goes(house, id, 'critical')
  const [banner] = (await house.admin.get(`/admin/banners?beat_id=${id}`)).body.banners
  const dismissed = await house.admin.post(`/admin/banners/${banner.id}/dismiss`)
  expect(dismissed.body).toMatchObject({ dismissed_by: 'admin page_admin', dismissed_at: house.now.toISOString() })
  minutesLater(1)
  expect((await house.admin.post(`/admin/banners/${banner.id}/dismiss`)).body).toEqual(dismissed.body)
  await look(house, 'beat', id)
  expect(await bannersOf(house, id)).toEqual([])
  expect((await house.admin.get(`/admin/banners?state=dismissed&beat_id=${id}`)).body.total).toBe(1)
})

test('the numbers of concurrent transitions have no gaps', async () => {
  const { id } = await actingBeat(house)
  const stages = ['critical', 'warning', 'healthy'] as const
  await Promise.all(Array.from({ length: 12 }, (_, index) => see(house, id, stages[index % 3]!)))
  const numbers = (await transitionsOf(house, id)).map(({ number }) => number)
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  expect((await storedBeat(house, id)).transition_number).toBe(numbers.length)
})
