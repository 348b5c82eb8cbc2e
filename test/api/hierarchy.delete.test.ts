import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { makeItem } from '../support/maintenances.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

test('an item above one that lies in the archive is archived rather than deleted', async () => {
  const parent = await makeItem(service, 'Above')
  const child = await makeItem(service, 'Below', { parent_id: parent })
  await service.admin.del(`/admin/hierarchy/items/${child}?archive=true`)
  const { status, body } = await service.admin.del(`/admin/hierarchy/items/${parent}`)
  expect([status, body.error]).toEqual([
    409,
    expect.stringContaining('archived items below it: archive the item instead'),
  ])
  expect((await service.admin.del(`/admin/hierarchy/items/${parent}?archive=true`)).status).toBe(200)
})
