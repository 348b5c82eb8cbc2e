import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openPage, takeScreenshot } from '../support/browser.ts'
import { breakPayments, type ExampleSite, openExampleSite } from '../support/example-site.ts'

/** The page on paper. */

let site: ExampleSite
beforeAll(async () => {
  site = await openExampleSite()
  const german = { locale: 'de', state: 'published', values: { site_title: 'Status' } }
  const header_navigation_links = [{ label: 'Help', url: '/help' }]
  await site.service.admin.patch('/admin/settings', {
    ...{ site_title: 'Shop status', translations: [german], header_navigation_links },
    ...{ brand_color_light: '#7a1f5c', brand_color_dark: '#ffcc00' },
  })
  await breakPayments(site.service)
})
afterAll(() => site.service.close())

test('a printed page has no navigation and no buttons, and says where it is from', async () => {
  const page = await openPage(site.service, site.paths.month, { timeZone: 'Asia/Tokyo' })
  const left = ['Get updates', 'Help', 'RSS', 'API', 'Deutsch', 'Show my time']
  const kept = ['Shop status', 'Payments and invoices were slow', 'Updated', 'Times are in UTC']
  const named = async (words: string[]) => {
    const shown = await page.innerText('body')
    return words.filter((word) => shown.includes(word))
  }
  expect(await named([...left, ...kept])).toEqual([...left, ...kept])
  await page.emulateMedia({ media: 'print' })
  await takeScreenshot(page, 'print-month')
  expect(await named([...left, ...kept])).toEqual(kept)
  expect(await page.locator('button:visible, a.button:visible').count()).toBe(0)
  await page.context().close()
})

const colors = `(() => {
  const { backgroundColor, color } = getComputedStyle(document.querySelector('.card'))
  const { colorScheme } = getComputedStyle(document.documentElement)
  return [backgroundColor, color, colorScheme, getComputedStyle(document.querySelector('main a')).color].join(' ')
})()`
const LIGHT = 'rgb(255, 255, 255) rgb(25, 29, 34) light rgb(122, 31, 92)'

test.each([
  ['of a dark device', { dark: true }, 'auto'],
  ['of a reader who chose dark colours', {}, 'dark'],
])('the page %s is printed in light colours', async (_case, reader, theme) => {
  const page = await openPage(site.service, '/', reader)
  await page.evaluate(`localStorage.setItem('theme', '${theme}')`)
  await page.reload()
  expect(await page.evaluate(colors)).toMatch(/^rgb\(26, 30, 35\).* rgb\(255, 204, 0\)$/)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' in reader ? 'dark' : 'light' })
  expect(await page.evaluate(colors)).toBe(LIGHT)
  await takeScreenshot(page, `print-${theme}`)
  await page.context().close()
})
