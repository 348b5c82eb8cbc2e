import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

describe('status types', () => {
  const list = async () => (await service.admin.get('/admin/status-types')).body

  test('a new page has five, mildest first, one of them operational', async () => {
    const { status_types: types, total } = await list()
    expect(types.map((type: { key: string }) => type.key)).toEqual([
      'operational',
      'maintenance',
      'degraded',
      'partial_outage',
      'major_outage',
    ])
    expect(total).toBe(5)
    expect(types.filter((type: { is_operational: boolean }) => type.is_operational)).toEqual([
      expect.objectContaining({ key: 'operational' }),
    ])
  })

  test('a new one is the most severe, and items take it for that', async () => {
    const { status, body, headers } = await service.admin.post('/admin/status-types', {
      key: 'on_fire',
      name: 'On fire',
      color: '#FF0000',
    })
    expect([status, body.is_operational, body.archived]).toEqual([201, false, false])
    expect((await service.admin.get(headers.get('location')!.replace('/api/v1', ''))).body).toEqual(body)
    expect((await list()).status_types.at(-1)).toEqual(body)
    const { body: item } = await service.admin.post('/admin/hierarchy/items', { name: 'API' })
    for (const type of ['on_fire', 'major_outage']) {
      await service.admin.post('/admin/incidents', { title: 'Hot', status: type, affected_items: [{ id: item.id }] })
    }
    expect((await service.admin.get(`/admin/hierarchy/items/${item.id}`)).body.status).toBe('on_fire')
  })

  test.each([
    ['resolved', 400],
    ['degraded', 409],
    ['Upper', 400],
    ['1st', 400],
    ['with space', 400],
    ['x'.repeat(51), 400],
    ['', 400],
  ])('the key %j is refused with %i', async (key, expected) => {
    const { status, body } = await service.admin.post('/admin/status-types', { key, name: 'x' })
    expect(status).toBe(expected)
    if (expected === 400) expect(body.errors[0].path).toBe('key')
  })

  test.each(['red', '#fff', '#gggggg', '2f9e44'])('the colour %j is refused', async (color) => {
    const { body } = await service.admin.post('/admin/status-types', { key: 'k', name: 'x', color })
    expect(body.errors[0].path).toBe('color')
  })

  test('belong to their page', async () => {
    const prefix = `/orgs/${service.otherPage.organization_id}/pages/${service.otherPage.id}/admin`
    expect((await service.otherAdmin.get(`${prefix}/status-types`)).body.total).toBe(5)
    expect((await service.otherAdmin.post(`${prefix}/incidents`, { title: 'x', status: 'on_fire' })).status).toBe(400)
  })
})

describe('lifecycle stages of incidents', () => {
  const list = async () => (await service.admin.get('/admin/lifecycle-stages/incident')).body.lifecycle_stages
  const names = async () => (await list()).map((stage: { name: string }) => stage.name)

  test('a new page has four, and the first is given to a new incident', async () => {
    expect(await names()).toEqual(['Investigating', 'Identified', 'Monitoring', 'Resolved'])
    const stages = await list()
    expect(stages.map((stage: { is_default: boolean }) => stage.is_default)).toEqual([true, false, false, false])
  })

  test('a new one is placed before the last, which stays the one of resolved incidents', async () => {
    const { status, body, headers } = await service.admin.post('/admin/lifecycle-stages/incident', { name: 'Fixing' })
    expect(status).toBe(201)
    expect((await service.admin.get(headers.get('location')!.replace('/api/v1', ''))).body).toEqual(body)
    expect(await names()).toEqual(['Investigating', 'Identified', 'Monitoring', 'Fixing', 'Resolved'])
    const { body: incident } = await service.admin.post('/admin/incidents', { title: 'x' })
    const { body: resolved } = await service.admin.post(`/admin/incidents/${incident.id}/resolve`)
    expect(resolved.lifecycle_stage.name).toBe('Resolved')
  })

  test('a name is taken once, in any case', async () => {
    expect((await service.admin.post('/admin/lifecycle-stages/incident', { name: 'RESOLVED' })).status).toBe(409)
  })

  test('one of maintenances is not found among them', async () => {
    const { body } = await service.admin.get('/admin/lifecycle-stages/maintenance')
    const [{ id }] = body.lifecycle_stages
    expect((await service.admin.get(`/admin/lifecycle-stages/incident/${id}`)).status).toBe(404)
  })
})
