import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage } from '../support/browser.ts'
import { breakPayments, type ExampleSite, openExampleSite } from '../support/example-site.ts'

/** What the pages load, what they show without scripts, and how they stay current without a stream. */

let site: ExampleSite
let incident: number
beforeAll(async () => {
  site = await openExampleSite()
  const german = { locale: 'de', state: 'published', values: { site_title: 'Zustand des Ladens' } }
  await site.service.admin.patch('/admin/settings', { site_title: 'Shop status', translations: [german] })
  incident = await breakPayments(site.service)
})
afterAll(() => site.service.close())

interface Loaded {
  name: string
  responseEnd: number
  encodedBodySize: number
}
const loadedBy = (page: Page): Promise<Loaded[]> =>
  page.evaluate(`['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type))
    .map(({ name, responseEnd, encodedBodySize }) => ({ name, responseEnd, encodedBodySize }))`)

test('the page of the example has less than 60 KB in all, and appears after one request', async () => {
  const page = await openPage(site.service, '/')
  const firstPaint = `new Promise((resolve) => new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) if (name === 'first-contentful-paint') resolve(startTime)
  }).observe({ type: 'paint', buffered: true }))`
  expect(await page.evaluate(firstPaint)).toBeGreaterThan(0)
  await page.waitForFunction('document.readyState === "complete"')
  const loaded = await loadedBy(page)
  const bytes = loaded.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  expect(bytes).toBeGreaterThan(5000)
  expect(bytes).toBeLessThan(60_000)
  // Nothing besides the document delays the first paint: scripts are modules or deferred, and the style is in the document.
  const blocking = await page.evaluate(
    `performance.getEntriesByType('resource').filter((one) => one.renderBlockingStatus === 'blocking').map((one) => one.name)`,
  )
  expect(blocking).toEqual([])
  await page.context().close()
})

describe('without scripts', () => {
  const texts: Record<string, string[]> = {
    home: ['Payments fail', 'Cards are refused.', 'Checkout', 'Planned maintenance'],
    incident: ['Payments and invoices were slow', 'The database has a new index.', 'A query read a whole table.'],
    maintenance: ['Payment provider is upgraded', 'Short breaks.'],
    item: ['Payments', 'Uptime', 'Each day'],
    month: ['Payments and invoices were slow'],
    search: ['Payments'],
    subscribe: ['Subscribe to updates', 'Email address'],
  }
  test.each(Object.keys(texts))('the page %s is complete', async (name) => {
    const page = await openPage(site.service, site.paths[name as keyof ExampleSite['paths']], { javaScript: false })
    const words = await page.innerText('main')
    for (const text of texts[name]!) expect(words).toContain(text)
    expect(await page.locator('[data-theme-toggle]:visible, [data-zone-toggle]:visible').count()).toBe(0)
    await page.context().close()
  })

  test('the search has a form', async () => {
    const page = await openPage(site.service, '/search', { javaScript: false })
    await page.getByRole('searchbox').fill('invoices')
    await page.keyboard.press('Enter')
    await page.waitForURL(/q=invoices/)
    expect(await page.innerText('main')).toContain('Payments and invoices were slow')
    await page.context().close()
  })
})

test.each(['home', 'incident', 'maintenance', 'item', 'month'] as const)(
  'the printed page %s hides nothing',
  async (name) => {
    const page = await openPage(site.service, site.paths[name])
    const hidden = `[...document.querySelectorAll('details > :not(summary, script, nav)')]
    .filter((one) => one.textContent.trim() !== '' && !one.checkVisibility())
    .map((one) => one.textContent.trim().slice(0, 80))`
    if (name === 'home') expect(await page.evaluate(hidden)).not.toEqual([])
    await page.emulateMedia({ media: 'print' })
    expect(await page.evaluate(hidden)).toEqual([])
    await page.context().close()
  },
)

test('links keep the chosen language from page to page', async () => {
  const page = await openPage(site.service, '/')
  const language = () => page.evaluate('document.documentElement.lang')
  expect(await language()).toBe('en')
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await page.waitForURL(/locale=de/)
  for (const target of [
    `a[href^="/incidents/${incident}"]`,
    '.crumbs a',
    'a[href^="/items/"]',
    'a[href^="/history"]',
  ]) {
    await page.locator(target).first().click()
    await page.waitForURL(/locale=de/)
    expect(await language()).toBe('de')
  }
  await page.getByRole('link', { name: 'English' }).click()
  await page.waitForURL(/locale=en/)
  expect(await language()).toBe('en')
  await page.context().close()
})

test('a page whose stream is cut is read again every minute', async () => {
  const page = await openPage(site.service, '/')
  await page.route(/\/stream\?/, (route) => route.abort())
  await page.clock.install()
  await page.reload()
  const { body } = await site.service.admin.post('/admin/incidents', { title: 'Mails are late', status: 'degraded' })
  await page.clock.runFor(59_000)
  expect(await page.locator(`#incident-${body.id}`).count()).toBe(0)
  await page.clock.runFor(2000)
  await page.locator(`#incident-${body.id}`).waitFor()
  await page.context().close()
})
