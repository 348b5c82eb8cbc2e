import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { horizontalOverflow, openPage, takeScreenshot } from '../support/browser.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

/** The rows of items on a phone, with short and long names. */

const names = [
  'API',
  'Internationale Zahlungsabwicklung',
  'Reports and exports of all customers in Europe',
  'ThisNameIsOneLongWordWithoutAnyPlaceToBreak',
]

let service: TestService
beforeAll(async () => {
  service = await openTestService()
  const { admin } = service
  const set = await admin.patch('/admin/settings', {
    ...{ multilingual_enabled: true, multilingual_public_ready: true, supported_locales: ['en', 'de', 'ar'] },
  })
  const titled = (locale: string) => ({ locale, state: 'published', values: { site_title: `Status ${locale}` } })
  await admin.patch('/admin/settings', { site_title: 'Status', translations: ['de', 'ar'].map(titled) })
  expect(set.body.supported_locales).toEqual(['en', 'de', 'ar'])
  const group = (await admin.post('/admin/hierarchy/items', { name: 'Services of the shop' })).body.id
  const start_date = new Date(Date.now() - 30 * 86_400_000).toISOString()
  for (const [index, name] of names.entries()) {
    const { body } = await admin.post('/admin/hierarchy/items', { name, parent_id: group, start_date })
    const report = { title: 'Broken', status: index % 2 === 0 ? 'partial_outage' : 'degraded' }
    await admin.post('/admin/incidents', { ...report, affected_items: [{ id: body.id }] })
  }
})
afterAll(() => service.close())

/** The rows whose status begins below the first line of the name, or that leave the name no room. */
const brokenRows = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.row')].flatMap((row) => {
    const [name, status] = ['.name', '.is'].map((part) => row.querySelector(part).getBoundingClientRect())
    return Math.abs(name.top - status.top) < 8 && name.width > 80 ? [] : [row.innerText]
  })`)

test.each(['en', 'de', 'ar'])(
  'in the language %s the status is in the line of the name on the narrowest phone',
  async (locale) => {
    const page = await openPage(service, `/?locale=${locale}`, { width: 360, locale })
    expect(await page.evaluate('document.documentElement.lang')).toBe(locale)
    await takeScreenshot(page, `phone-rows-${locale}`)
    expect(await page.locator('.row').count()).toBe(names.length + 1)
    expect(await brokenRows(page)).toEqual([])
    expect(await horizontalOverflow(page)).toBe(0)
    await page.context().close()
  },
)

test('in a page from right to left a title in English begins at the right', async () => {
  const page = await openPage(service, '/?locale=ar', { width: 360, locale: 'ar' })
  const titles = await page.evaluate(
    `[...document.querySelectorAll('h3[dir]')].map((title) => getComputedStyle(title).textAlign)`,
  )
  expect(titles).toEqual(names.map(() => 'right'))
  await page.context().close()
})

test('each day of an item has its date and its uptime in one line', async () => {
  const { items } = (await service.admin.get('/admin/hierarchy/items')).body
  const page = await openPage(service, `/items/${items.at(-1).id}`, { width: 360 })
  const broken = `[...document.querySelectorAll('.days tbody tr')].filter((row) => {
    const [date, uptime] = ['th', '.number'].map((part) => row.querySelector(part).getBoundingClientRect())
    return date.top !== uptime.top || date.right > uptime.left
  }).length`
  expect(await page.evaluate(broken)).toBe(0)
  expect(await page.getByRole('row').count()).toBeGreaterThan(1)
  expect(await horizontalOverflow(page)).toBe(0)
  await page.context().close()
})

test.each(['en', 'de', 'ar'])(
  'in the language %s the table of the uptime fits on the narrowest phone',
  async (locale) => {
    const { items } = (await service.admin.get('/admin/hierarchy/items')).body
    const page = await openPage(service, `/items/${items.at(-1).id}?locale=${locale}`, { width: 360, locale })
    await takeScreenshot(page, `phone-uptime-${locale}`)
    const tooWide = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('#uptime ~ .card .table'))`
    expect(await page.evaluate(tooWide)).toBe(0)
    await page.context().close()
  },
)
