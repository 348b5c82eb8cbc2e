import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

const NOW = new Date('2026-03-02T10:00:00.000Z')
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000).toISOString()

let service: TestService
beforeAll(async () => {
  service = await openTestService({ frozenAt: NOW })
})
afterAll(() => service.close())

const report = (body: object) => service.admin.post('/admin/incidents', { title: 'Down', ...body })
const errorOf = async (body: object) => {
  const answer = await report(body)
  return [answer.status, answer.body.errors]
}

test('an incident is reported with what the page gives by default', async () => {
  const { status, body, headers } = await service.admin.post('/admin/incidents', { title: 'Down' })
  expect(status).toBe(201)
  expect(headers.get('location')).toBe(`/api/v1/admin/incidents/${body.id}`)
  expect(body).toMatchObject({
    title: 'Down',
    description: '',
    status: 'degraded',
    initial_status: 'degraded',
    lifecycle_stage: { name: 'Investigating' },
    started_at: NOW.toISOString(),
    created_at: NOW.toISOString(),
    updated_at: NOW.toISOString(),
    affected_items: [],
    updates: [],
    version: 1,
    acknowledged_at: null,
    resolved_at: null,
  })
  expect(body).not.toHaveProperty('impact')
  expect(body).not.toHaveProperty('reminder_interval_minutes')
  expect(service.woken).toContainEqual({ kind: 'incident', id: body.id, pageId: service.page.id })
  expect((await service.admin.get(headers.get('location')!.replace('/api/v1', ''))).body).toEqual(body)
})

test('an incident keeps every field that it is given', async () => {
  const { body: item } = await service.admin.post('/admin/hierarchy/items', { name: 'API' })
  const said = {
    title: 'Down',
    description: 'All of it.\nEverywhere. 🔥',
    status: 'major_outage',
    impact: 'everybody',
    external_id: 'deploy/17',
    affected_items_freetext: 'and more',
    chat_channel_id: 'C123',
    reminder_interval_minutes: 30,
    started_at: minutes(-90),
  }
  const { body, status } = await report({
    ...said,
    affected_items: [{ id: item.id }],
    lifecycle_stage_name: 'identified',
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({ ...said, initial_status: 'major_outage', lifecycle_stage: { name: 'Identified' } })
  expect(body.lifecycle_stage_id).toBe(body.lifecycle_stage.id)
  expect(body.affected_items).toEqual([
    { id: item.id, name: 'API', slug: 'api', depth: 1, status: 'major_outage', hierarchy_path: 'API' },
  ])
})

test('surrounding space is no title', async () => {
  expect((await report({ title: '  Down  ' })).body.title).toBe('Down')
  expect(await errorOf({ title: ' \n ' })).toEqual([400, [expect.objectContaining({ path: 'title' })]])
})

describe('the stage', () => {
  const stages = async () => (await service.admin.get('/admin/lifecycle-stages/incident')).body.lifecycle_stages

  test('is named by id, by name, or by both', async () => {
    const [, identified] = await stages()
    for (const named of [
      { lifecycle_stage_id: identified.id },
      { lifecycle_stage_name: 'Identified' },
      { lifecycle_stage_name: 'IDENTIFIED' },
      { lifecycle_stage_id: identified.id, lifecycle_stage_name: 'Identified' },
    ]) {
      expect((await report(named)).body.lifecycle_stage_id).toBe(identified.id)
    }
  })

  test('must be one of the page, and what names it must agree', async () => {
    const [first] = await stages()
    const both = { lifecycle_stage_id: first.id, lifecycle_stage_name: 'Identified' }
    const message = 'lifecycle_stage_id and lifecycle_stage_name do not name the same stage'
    expect(await errorOf(both)).toEqual([400, [{ path: 'lifecycle_stage_id', message }]])
    expect(await errorOf({ ...both, lifecycle_stage_name: 'Panicking' })).toEqual([
      400,
      [expect.objectContaining({ path: 'lifecycle_stage_name', message: expect.stringContaining('Panicking') })],
    ])
    expect(await errorOf({ lifecycle_stage_id: 999_999 })).toEqual([
      400,
      [expect.objectContaining({ path: 'lifecycle_stage_id', message: expect.stringContaining('999999') })],
    ])
    expect(await errorOf({ lifecycle_stage_name: 'Panicking' })).toEqual([
      400,
      [expect.objectContaining({ path: 'lifecycle_stage_name', message: expect.stringContaining('Panicking') })],
    ])
  })

  test('is none of maintenances, and none of another page', async () => {
    const { body } = await service.admin.get('/admin/lifecycle-stages/maintenance')
    expect((await report({ lifecycle_stage_name: 'Scheduled' })).status).toBe(400)
    expect((await report({ lifecycle_stage_id: body.lifecycle_stages[0].id })).status).toBe(400)
    const prefix = `/orgs/${service.otherPage.organization_id}/pages/${service.otherPage.id}/admin`
    const theirs = await service.otherAdmin.get(`${prefix}/lifecycle-stages/incident`)
    expect((await report({ lifecycle_stage_id: theirs.body.lifecycle_stages[0].id })).status).toBe(400)
  })
})

describe('the status', () => {
  test('is one of the page', async () => {
    expect((await report({ status: 'partial_outage' })).body).toMatchObject({
      status: 'partial_outage',
      initial_status: 'partial_outage',
    })
    expect(await errorOf({ status: 'on_fire' })).toEqual([
      400,
      [{ path: 'status', message: expect.stringContaining('degraded') }],
    ])
  })

  test('is not resolved', async () => {
    const message = expect.stringMatching(/resolve it then, or use \/incidents\/backfill/)
    expect(await errorOf({ status: 'resolved' })).toEqual([400, [{ path: 'status', message }]])
  })
})

describe('the start', () => {
  test('lies in the past, or is now', async () => {
    expect((await report({ started_at: minutes(-60 * 24 * 400) })).body.started_at).toBe(minutes(-60 * 24 * 400))
    expect((await report({ started_at: null })).body.started_at).toBe(NOW.toISOString())
    expect((await report({ started_at: '2026-03-02T11:30:00+02:00' })).body.started_at).toBe(minutes(-30))
  })

  test('does not lie in the future, but for a clock that is a little ahead', async () => {
    expect(await errorOf({ started_at: minutes(6) })).toEqual([400, [expect.objectContaining({ path: 'started_at' })]])
    const { body } = await report({ started_at: minutes(4) })
    const resolved = await service.admin.post(`/admin/incidents/${body.id}/resolve`)
    expect([resolved.status, resolved.body.status]).toEqual([200, 'resolved'])
    const next = await report({ started_at: minutes(4) })
    const path = `/admin/incidents/${next.body.id}`
    expect((await service.admin.post(`${path}/updates`, { message: 'over', status: 'resolved' })).status).toBe(201)
  })
})

describe('notifications of a create', () => {
  const eventsOf = async (id: number) =>
    (await service.admin.get(`/admin/notifications?subject=incident:${id}`)).body.notifications

  test('a create writes one notification for all subscribers', async () => {
    const { body } = await report({})
    expect(await eventsOf(body.id)).toEqual([
      expect.objectContaining({ key: 'incident.created', subject: { kind: 'incident', id: body.id }, late: false }),
    ])
  })

  test('a create with notify false writes no notification', async () => {
    const { body } = await report({ notify: false })
    await service.admin.post(`/admin/incidents/${body.id}/updates`, { message: 'm', notify: false })
    await service.admin.post(`/admin/incidents/${body.id}/resolve`, { notify: false })
    expect(await eventsOf(body.id)).toEqual([])
  })
})
