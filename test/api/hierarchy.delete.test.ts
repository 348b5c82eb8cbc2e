import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type House, openHouse } from '../support/house.ts'
import { makeItem } from '../support/maintenances.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

test('an item above one that lies in the archive is archived rather than deleted', async () => {
  const parent = await makeItem(house, 'Above')
  const child = await makeItem(house, 'Below', { parent_id: parent })
  await house.admin.del(`/admin/hierarchy/items/${child}?archive=true`)
  const { status, body } = await house.admin.del(`/admin/hierarchy/items/${parent}`)
  expect([status, body.error]).toEqual([
    409,
    expect.stringContaining('archived items below it: archive the item instead'),
  ])
  expect((await house.admin.del(`/admin/hierarchy/items/${parent}?archive=true`)).status).toBe(200)
})
