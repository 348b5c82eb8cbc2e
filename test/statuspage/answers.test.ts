import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { statuspageAddresses } from '../../src/statuspage/addresses.ts'
import type { Caller } from '../support/caller.ts'
import { makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
let admin: Caller
let anyone: Caller
let shop: number
let search: number
beforeAll(async () => {
  service = await openTestService({ frozenAt: new Date('2026-11-23T12:00:00Z') })
  admin = service.admin
  anyone = service.as(undefined)
  shop = await makeItem(service, 'Shop')
  search = await makeItem(service, 'Search', { parent_id: shop, description: 'Finds products' })
  await admin.patch('/admin/settings', { reliability_policy_timezone: 'Europe/Berlin' })
})
afterAll(() => service.close())

const read = async (path: string) => (await anyone.get(`//api/v2/${path}.json`)).body
const stageOf = async (name: string) =>
  (await admin.get('/admin/lifecycle-stages/incident')).body.lifecycle_stages.find(
    (stage: { name: string }) => stage.name === name,
  ).id
const at = (time: string) => {
  service.now = new Date(`2026-11-23T${time}:00Z`)
}

test('a page in operation', async () => {
  const summary = await read('summary')
  const page = {
    id: String(service.page.id),
    name: 'First',
    url: 'http://status.test/status/first',
    time_zone: 'Europe/Berlin',
    updated_at: '2026-11-23T13:00:00.000+01:00',
  }
  const component = {
    ...{ status: 'operational', showcase: false, only_show_if_degraded: false, page_id: page.id },
    ...{ created_at: page.updated_at, updated_at: page.updated_at, start_date: '2026-11-23', position: 1 },
  }
  const components = [
    { ...component, id: String(shop), name: 'Shop', group_id: null, group: true, components: [String(search)] },
    {
      ...component,
      ...{ id: String(search), name: 'Search', description: 'Finds products', group_id: String(shop), group: false },
    },
  ]
  const status = { indicator: 'none', description: 'All Systems Operational' }
  expect(summary).toEqual({ page, components, incidents: [], scheduled_maintenances: [], status })
  expect(await read('status')).toEqual({ page, status })
  expect(await read('components')).toEqual({ page, components })
  for (const path of ['incidents', 'incidents/unresolved']) expect(await read(path)).toEqual({ page, incidents: [] })
  for (const path of ['', '/upcoming', '/active'])
    expect(await read(`scheduled-maintenances${path}`)).toEqual({ page, scheduled_maintenances: [] })
})

describe('an incident', () => {
  let id: number

  test('is open with its entries, newest first', async () => {
    at('12:10')
    const made = { title: 'Search is slow', description: 'We look into it.', status: 'degraded' }
    id = (await admin.post('/admin/incidents', { ...made, affected_items: [{ id: search }] })).body.id
    at('12:20')
    const update = { message: 'A fix runs.', status: 'partial_outage', lifecycle_stage_id: await stageOf('Monitoring') }
    const { body } = await admin.post(`/admin/incidents/${id}/updates`, update)
    const { incidents, status, components, page } = await read('summary')
    expect(page.updated_at).toBe('2026-11-23T13:20:00.000+01:00')
    expect(status).toEqual({ indicator: 'major', description: 'Partial System Outage' })
    expect(components.map((one: { status: string }) => one.status)).toEqual(['partial_outage', 'partial_outage'])
    const affected = { code: String(search), name: 'Search' }
    const entry = (time: string, fields: object) => ({
      ...{ incident_id: String(id), created_at: time, updated_at: time, display_at: time },
      ...{ deliver_notifications: true, ...fields },
    })
    const [opened, fixed] = ['2026-11-23T13:10:00.000+01:00', '2026-11-23T13:20:00.000+01:00']
    expect(incidents).toEqual([
      {
        ...{ id: String(id), name: 'Search is slow', status: 'monitoring', impact: 'major', page_id: page.id },
        ...{ created_at: opened, started_at: opened, updated_at: fixed, monitoring_at: fixed, resolved_at: null },
        shortlink: `http://status.test/status/first/incidents/${id}`,
        incident_updates: [
          entry(fixed!, {
            ...{ id: String(body.id), status: 'monitoring', body: 'A fix runs.' },
            affected_components: [{ ...affected, old_status: 'degraded_performance', new_status: 'partial_outage' }],
          }),
          entry(opened!, {
            ...{ id: `incident-${id}`, status: 'investigating', body: 'We look into it.' },
            affected_components: [{ ...affected, old_status: 'operational', new_status: 'degraded_performance' }],
          }),
        ],
        components: [components[1]],
      },
    ])
    expect((await read('incidents/unresolved')).incidents).toEqual(incidents)
    expect((await read('incidents')).incidents).toEqual(incidents)
  })

  test('is resolved, and then has a postmortem', async () => {
    at('12:30')
    await admin.post(`/admin/incidents/${id}/resolve`, { resolution_message: 'Over.' })
    expect(await read('incidents/unresolved')).toMatchObject({ incidents: [] })
    const [resolved] = (await read('incidents')).incidents
    expect(resolved).toMatchObject({
      status: 'resolved',
      impact: 'major',
      resolved_at: '2026-11-23T13:30:00.000+01:00',
    })
    expect(resolved.incident_updates[0]).toMatchObject({ status: 'resolved', body: 'Over.' })
    expect((await read('status')).status.indicator).toBe('none')
    at('12:40')
    await admin.request('PUT', `/admin/incidents/${id}/report`, { title: 'Why', body: 'A disk was full.' })
    at('12:45')
    await admin.post(`/admin/incidents/${id}/report/publish`)
    const [reported] = (await read('incidents')).incidents
    expect(reported.status).toBe('postmortem')
    expect(reported.incident_updates[0]).toMatchObject({
      ...{ id: `postmortem-${id}`, status: 'postmortem', body: 'A disk was full.' },
      ...{ created_at: '2026-11-23T13:45:00.000+01:00', updated_at: '2026-11-23T13:45:00.000+01:00' },
      affected_components: [],
    })
  })
})

describe('a maintenance', () => {
  let id: number

  test('is upcoming', async () => {
    const window = { scheduled_start_time: '2026-11-24T08:00:00Z', scheduled_end_time: '2026-11-24T10:00:00Z' }
    const made = { title: 'Upgrade', description: 'A new version.', affected_items: [{ id: search }], ...window }
    id = (await admin.post('/admin/maintenances', made)).body.id
    const { scheduled_maintenances, status } = await read('summary')
    expect(status).toEqual({ indicator: 'none', description: 'All Systems Operational' })
    expect(scheduled_maintenances).toEqual([
      expect.objectContaining({
        ...{ id: String(id), name: 'Upgrade', status: 'scheduled', impact: 'none', resolved_at: null },
        scheduled_for: '2026-11-24T09:00:00.000+01:00',
        scheduled_until: '2026-11-24T11:00:00.000+01:00',
        shortlink: `http://status.test/status/first/maintenances/${id}`,
        incident_updates: [expect.objectContaining({ status: 'scheduled', body: 'A new version.' })],
        components: [expect.objectContaining({ id: String(search) })],
      }),
    ])
    expect((await read('scheduled-maintenances/upcoming')).scheduled_maintenances).toEqual(scheduled_maintenances)
    expect((await read('scheduled-maintenances/active')).scheduled_maintenances).toEqual([])
  })

  test('is active, with a switch for the value that the original does not document', async () => {
    await admin.post(`/admin/maintenances/${id}/start`, { message: 'We begin.' })
    const { scheduled_maintenances, status } = await read('summary')
    expect(status).toEqual({ indicator: 'none', description: 'Service Under Maintenance' })
    expect(scheduled_maintenances).toMatchObject([{ status: 'in_progress', impact: 'none' }])
    expect(scheduled_maintenances[0].incident_updates[0].affected_components).toEqual([
      { code: String(search), name: 'Search', old_status: 'operational', new_status: 'under_maintenance' },
    ])
    expect((await read('scheduled-maintenances/active')).scheduled_maintenances).toEqual(scheduled_maintenances)
    expect((await read('scheduled-maintenances/upcoming')).scheduled_maintenances).toEqual([])
    const { body } = await anyone.get('//api/v2/summary.json?maintenance_indicator=true')
    expect(body.status).toEqual({ indicator: 'maintenance', description: 'Service Under Maintenance' })
    expect(body.scheduled_maintenances).toMatchObject([{ impact: 'maintenance' }])
  })

  test('is completed; cancelled windows are left out, and a window without times has null', async () => {
    await admin.post(`/admin/maintenances/${id}/complete`)
    const { body: other } = await admin.post('/admin/maintenances', { title: 'Later', affected_items: [{ id: shop }] })
    const { scheduled_maintenances } = await read('scheduled-maintenances')
    const [later] = scheduled_maintenances.filter((one: { name: string }) => one.name === 'Later')
    expect(later).toMatchObject({ scheduled_for: null })
    expect(later).not.toHaveProperty('scheduled_until')
    const [done] = scheduled_maintenances.filter((one: { name: string }) => one.name === 'Upgrade')
    expect(done).toMatchObject({ status: 'completed', resolved_at: '2026-11-23T13:45:00.000+01:00' })
    await admin.post(`/admin/maintenances/${other.id}/cancel`)
    expect((await read('scheduled-maintenances')).scheduled_maintenances).toHaveLength(1)
  })
})

test('the list has the 50 newest incidents', async () => {
  for (let index = 0; index < 52; index++) await admin.post('/admin/incidents', { title: `Incident ${index}` })
  const { incidents } = await read('incidents')
  expect(incidents).toHaveLength(50)
  expect(incidents[0].name).toBe('Incident 51')
})

test('texts of people stay texts', async () => {
  const hostile = '<script>alert(1)</script>\u2028"\\ ]]> \u0007 {{y}}'
  await admin.post('/admin/incidents', { title: 'Hostile', description: hostile })
  const { incidents } = await read('incidents')
  expect(incidents[0].incident_updates[0].body).toBe(hostile)
  expect((await anyone.get('//api/v2/incidents.json')).headers.get('content-type')).toMatch(/^application\/json/)
})

test.each(statuspageAddresses.map(({ path }) => path))(
  '%s answers HEAD, ETag, CORS and both addresses',
  async (path) => {
    const get = await anyone.get(`/${path}`)
    expect(get.headers.get('access-control-allow-origin')).toBe('*')
    expect(get.headers.get('x-page-revision')).toMatch(/^[0-9a-f]{16}$/)
    const etag = get.headers.get('etag')!
    expect((await anyone.get(`/${path}`, { 'If-None-Match': etag })).status).toBe(304)
    const head = await anyone.request('HEAD', `/${path}`)
    expect([head.status, head.body, head.headers.get('etag')]).toEqual([200, '', etag])
    expect((await anyone.get(`//status/first${path}?unknown=1`)).body).toEqual(get.body)
    expect((await anyone.post(`/${path}`)).status).toBe(405)
  },
)
