import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openPage } from '../support/browser.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
})
afterAll(() => service.close())

test('the filter of the docs opens the tags of what it finds, and filters webhooks', async () => {
  const page = await openPage(service, '/api/docs')
  const input = page.getByPlaceholder('Filter by tag')
  const operations = page.locator('.opblock-tag-section .opblock')
  const webhooks = page.locator('.webhooks .opblock')
  await webhooks.first().waitFor()
  expect(await operations.count()).toBe(0)
  const all = await webhooks.count()
  await input.fill('Acknowledge an incident')
  await operations.first().waitFor()
  expect(await operations.count()).toBe(1)
  expect(await operations.innerText()).toContain('Acknowledge an incident')
  expect(await webhooks.count()).toBe(0)
  await input.fill('incident.created')
  await webhooks.first().waitFor()
  expect(await webhooks.count()).toBe(1)
  await input.fill('')
  await webhooks.nth(all - 1).waitFor()
  expect(await operations.count()).toBe(0)
  await page.context().close()
})
