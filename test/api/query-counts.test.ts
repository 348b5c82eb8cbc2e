import { afterAll, beforeAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { type House, openHouse } from '../support/house.ts'

let house: House
let queries = 0
const original = pg.Client.prototype.query
beforeAll(async () => {
  house = await openHouse()
  pg.Client.prototype.query = function count(this: pg.Client, ...args: unknown[]) {
    // Which pages there are is read again each second, by whichever request comes then.
    if (!JSON.stringify(args[0]).includes('managed_domain')) queries += 1
    return Reflect.apply(original, this, args)
  } as typeof original
})
afterAll(async () => {
  pg.Client.prototype.query = original
  await house.close()
})

const tomorrow = new Date(Date.now() + 86_400_000).toISOString()

async function grow(): Promise<void> {
  const parent = (await house.admin.post('/admin/hierarchy/items', { name: 'Top' })).body.id
  for (let n = 0; n < 5; n += 1) {
    const item = (await house.admin.post('/admin/hierarchy/items', { name: 'Leaf', parent_id: parent })).body.id
    const report = { title: 'X', affected_items: [{ id: item }] }
    const { id } = (await house.admin.post('/admin/incidents', report)).body
    await house.admin.post(`/admin/incidents/${id}/updates`, { message: 'M' })
    const work = { title: 'W', affected_items: [{ id: item }], status: 'in_progress' }
    const maintenance = (await house.admin.post('/admin/maintenances', work)).body
    await house.admin.post(`/admin/maintenances/${maintenance.id}/updates`, { message: 'M' })
    const daily = { recurrence_type: 'daily', start_time: '02:30', start_date: tomorrow, duration_minutes: 60 }
    await house.admin.post('/admin/maintenance-series', { ...work, status: 'active', ...daily, max_occurrences: 3 })
  }
}

test.each([
  '/admin/incidents',
  '/admin/incidents?view=full',
  '/admin/maintenances',
  '/admin/maintenances?view=full',
  '/admin/maintenance-series?view=full',
  '/maintenances?view=full',
  '/admin/hierarchy/items',
  '/admin/notifications',
  '/admin/workflows',
  '/admin/audit-events',
  '/incidents?view=full',
  '/pages/public/first/components',
  '//',
])('the number of queries behind %s does not grow with the page', async (path) => {
  await grow()
  // The last use of a token is noted by the first request only.
  await house.admin.get(path)
  const count = async () => {
    house.services.pageChanged(house.page.id)
    queries = 0
    expect((await house.admin.get(path)).status).toBe(200)
    return queries
  }
  const before = await count()
  await grow()
  expect(await count()).toBe(before)
})
