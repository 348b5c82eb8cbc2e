import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { beatsPath, httpBeat, makeBeat } from '../support/beats.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { tracesOf } from './support/traces.ts'

/** The state of a beat, which clients cannot set. */

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

const at = (minute: number) => `2026-11-21T12:${String(minute).padStart(2, '0')}:00.000Z`
const set = (table: string, id: number, values: Record<string, unknown>) => {
  const columns = Object.keys(values).map((name) => `${name} = ?`)
  const sql = `update ${table} set ${columns.join(', ')} where id = ?`
  return service.services.system.em.fork().execute(sql, [...Object.values(values), id])
}
const read = async (id: number) => (await service.admin.get(`${beatsPath}/${id}`)).body
const listed = async (query: string) => (await service.admin.get(`${beatsPath}?${query}`)).body.beats

const seen = {
  ...{ current_stage: 'critical', last_evidence_summary: 'Three in a row.' },
  ...{ last_transition_from_stage: 'healthy', last_transition_to_stage: 'critical' },
  ...{ last_state_changed_at: at(1), last_action_created_at: at(2), flapping_since: at(3) },
}

test('answers have the stage and its cause, and sending them back changes nothing', async () => {
  const { id } = await makeBeat(service)
  await set('beat', id, seen)
  const before = await read(id)
  expect(before).toMatchObject({ ...seen, flapping: true, version: 1 })
  const traces = await tracesOf(service)
  expect((await service.admin.patch(`${beatsPath}/${id}`, before)).body).toEqual(before)
  const summary = await service.admin.patch(`${beatsPath}/${id}`, { last_evidence_summary: 'No' })
  expect([summary.status, summary.body]).toEqual([200, before])
  expect((await service.admin.patch(`${beatsPath}/${id}`, { current_stage: 'healthy' })).status).toBe(400)
  expect(await tracesOf(service)).toEqual(traces)
  const [compact] = await listed('stage=critical')
  expect(compact).toMatchObject({ id, current_stage: 'critical', last_state_changed_at: at(1) })
})

test.each([
  [beatsPath, 'beat', 'beats', httpBeat],
  ['/admin/beat-groups', 'beat_group', 'beat_groups', { name: 'G' }],
])('current_incident_id is shown while the incident exists and is open: %s', async (path, table, list, body) => {
  const incident = async () => (await service.admin.post('/admin/incidents', { title: 'T' })).body.id
  const { id } = (await service.admin.post(path, body)).body
  const shown = async () => {
    const { body: full } = await service.admin.get(`${path}/${id}`)
    const { body: all } = await service.admin.get(path)
    const compact = all[list].find((one: { id: number }) => one.id === id)
    expect(compact.current_incident_id).toBe(full.current_incident_id)
    return full.current_incident_id
  }
  const [resolved, deleted] = [await incident(), await incident()]
  await set(table, id, { current_incident_id: resolved })
  expect(await shown()).toBe(resolved)
  await service.admin.post(`/admin/incidents/${resolved}/resolve`, { resolution_message: 'R' })
  expect(await shown()).toBeUndefined()
  await set(table, id, { current_incident_id: deleted })
  expect(await shown()).toBe(deleted)
  await service.admin.del(`/admin/incidents/${deleted}`)
  expect(await shown()).toBeUndefined()
})

test('the stage of a beat without checks is unknown, with the reason', async () => {
  const { id } = await makeBeat(service)
  const because = 'There is no worker in the region eu.'
  await set('beat', id, { current_stage: 'warning', unknown_since: at(5), unknown_because: because })
  const full = await read(id)
  expect(full).toMatchObject({ current_stage: null, unknown_since: at(5), unknown_because: because })
  expect([await listed('stage=warning'), (await listed('stage=unknown'))[0]]).toEqual([
    [],
    expect.objectContaining({ id, current_stage: null }),
  ])
  const group = (await service.admin.post('/admin/beat-groups', { name: 'G', member_monitor_ids: [id] })).body
  expect(group.members).toMatchObject([{ id, current_stage: null }])
})

test('last_evaluated_at is the moment of the newest check or of the last call', async () => {
  const { id } = await makeBeat(service)
  const result = async (minute: number, region: string) =>
    service.services.system.em
      .fork()
      .execute(
        `insert into beat_result (beat_id, due_at, region, page_id, at, ok, evidence) values (?, ?, ?, ?, ?, true, 'E')`,
        [id, at(minute), region, service.page.id, at(minute)],
      )
  expect(await read(id)).not.toHaveProperty('last_evaluated_at')
  await result(1, 'local')
  await result(7, 'eu')
  await result(4, 'local')
  expect((await read(id)).last_evaluated_at).toBe(at(7))
  expect((await listed('view=full')).find((one: { id: number }) => one.id === id).last_evaluated_at).toBe(at(7))
  const calling = await makeBeat(service, { type: 'heartbeat', target: { period_seconds: 60 } })
  await service.services.system.em
    .fork()
    .execute('update heartbeat set last_call_at = ? where beat_id = ?', [at(9), calling.id])
  expect((await read(calling.id)).last_evaluated_at).toBe(at(9))
})
