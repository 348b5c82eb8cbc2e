import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { axeProblems, horizontalOverflow, openPage, takeScreenshot } from '../support/browser.ts'
import { breakPayments, type ExampleSite, openExampleSite } from '../support/example-site.ts'

/** What holds for each page of the site, in each look. */

let site: ExampleSite
/** A page that axe can examine. */
let examined: Page
beforeAll(async () => {
  site = await openExampleSite()
  await breakPayments(site.service)
  const arabic = { locale: 'ar', state: 'published', values: { site_title: 'حالة المتجر' } }
  await site.service.admin.patch('/admin/settings', { site_title: 'Shop status', translations: [arabic] })
  examined = await openPage(site.service, '/', { bypassCSP: true })
})
afterAll(() => site.service.close())

const names = ['home', 'incident', 'maintenance', 'item', 'month', 'search', 'subscribe', 'notice'] as const
const looks = [
  ['light', 'en'],
  ['dark', 'en'],
  ['light', 'ar'],
] as const
/** 640 pixels are a window of 1280 pixels at 200 %. */
const widths = [1920, 640, 360]

const addressOf = (name: (typeof names)[number], locale: string) => {
  const address = new URL(site.paths[name], site.service.url)
  address.searchParams.set('locale', locale)
  return address.href
}

test.each(names.flatMap((name) => looks.map(([colors, locale]) => [name, colors, locale] as const)))(
  'the page %s in %s colors in the language %s has no accessibility problem and no horizontal scroll bar',
  async (name, colorScheme, locale) => {
    await examined.emulateMedia({ colorScheme })
    await examined.goto(addressOf(name, locale))
    expect(await examined.evaluate('document.documentElement.dir')).toBe(locale === 'ar' ? 'rtl' : 'ltr')
    const overflows: Record<number, number> = {}
    for (const width of widths) {
      await examined.setViewportSize({ width, height: 900 })
      await takeScreenshot(examined, `${name}-${colorScheme}-${locale}-${width}`)
      overflows[width] = await horizontalOverflow(examined)
    }
    expect(overflows).toEqual({ 1920: 0, 640: 0, 360: 0 })
    expect(await axeProblems(examined)).toEqual([])
  },
)

test('no page has an error in the console or loads what its policy refuses', async () => {
  const page = await openPage(site.service, '/')
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(`${page.url()}: ${message.text()}`))
  page.on('pageerror', (error) => errors.push(`${page.url()}: ${error.message}`))
  for (const name of names) {
    await page.goto(addressOf(name, 'en'), { waitUntil: 'load' })
    await page.waitForFunction('document.readyState === "complete"')
  }
  // The notice is an answer with the status 404, which the console counts as an error.
  const others = errors.filter((error) => !error.includes('404 (Not Found)'))
  expect(others).toEqual([])
  await page.context().close()
})
