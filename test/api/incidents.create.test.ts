import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type House, openHouse } from '../support/house.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

test('an incident is reported with what the page gives by default', async () => {
  const { status, body, headers } = await house.admin.post('/admin/incidents', { title: 'Down' })
  expect(status).toBe(201)
  expect(headers.get('location')).toBe(`/api/v1/admin/incidents/${body.id}`)
  expect(body).toMatchObject({
    title: 'Down',
    description: '',
    status: 'degraded',
    initial_status: 'degraded',
    lifecycle_stage: { name: 'Investigating' },
    affected_items: [],
    updates: [],
    version: 1,
    resolved_at: null,
  })
  expect(house.rung).toContainEqual({ workflowId: `incident:${body.id}`, pageId: house.page.id })
})
