import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { axeProblems, horizontalOverflow, openPage, takeScreenshot } from '../support/browser.ts'
import { type ExampleSite, openExampleSite } from '../support/example-site.ts'

let site: ExampleSite
beforeAll(async () => {
  site = await openExampleSite()
  const { admin } = site.service
  const items = [{ slug: 'payments' }]
  await admin.post('/admin/views', { name: 'Card payments', alias: 'cards', description: 'For the shops', items })
  await admin.post('/admin/views', { name: 'For buyers', alias: 'buyers', items, access_mode: 'verified_email' })
})
afterAll(() => site?.service.close())

test.each([
  [1280, false],
  [360, true],
] as const)('a view has a page of its own at %i px', async (width, dark) => {
  const page = await openPage(site.service, '/v/cards', { width, dark, bypassCSP: true })
  expect(await page.locator('h1').innerText()).toBe('Card payments')
  expect(await page.title()).toMatch(/^Card payments: /)
  const names = await page.locator('#components .name a').allInnerTexts()
  expect(names).toEqual(['Payments'])
  const links = await page
    .locator('.views a, .row-of a[type], #upcoming_maintenance .row-of a')
    .evaluateAll((all) => all.map((one) => one.getAttribute('href')?.replace(/[?#].*/, '')))
  expect(links.sort()).toEqual([
    ...['/v/cards', '/v/cards', '/v/cards/calendar.ics', '/v/cards/feed.atom', '/v/cards/feed.rss'],
  ])
  expect(await horizontalOverflow(page)).toBe(0)
  await takeScreenshot(page, `view-${width}`)
  expect(await axeProblems(page)).toEqual([])
  await page.context().close()
})

test('a view for certain readers shows a form in the language of the reader', async () => {
  const page = await openPage(site.service, '/v/buyers', { width: 500, locale: 'de', bypassCSP: true })
  expect(await page.locator('h1').innerText()).toBe('For buyers')
  await page.getByLabel('E-Mail-Adresse').fill('ada@example.com')
  await takeScreenshot(page, 'view-form')
  expect(await axeProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Code senden' }).click()
  await page.getByLabel('Zugangscode').fill('000000')
  await page.getByRole('button', { name: 'Seite öffnen' }).click()
  expect(await page.locator('[role=alert]').innerText()).toBe('Dieser Code ist falsch oder abgelaufen.')
  await takeScreenshot(page, 'view-code')
  expect(await axeProblems(page)).toEqual([])
  await page.context().close()
})
