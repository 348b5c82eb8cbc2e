import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { openPage } from '../support/browser.ts'
import { breakPayments, type ExampleSite, openExampleSite } from '../support/example-site.ts'

/** What readers do without a pointer. */

let site: ExampleSite
beforeAll(async () => {
  site = await openExampleSite()
  const arabic = { locale: 'ar', state: 'published', values: { site_title: 'حالة المتجر' } }
  await site.service.admin.patch('/admin/settings', { site_title: 'Shop status', translations: [arabic] })
  await breakPayments(site.service)
})
afterAll(() => site.service.close())

const focused = (page: Page, property: string) => page.evaluate(`document.activeElement.${property}`)

test('the first stop of the tab key skips the header', async () => {
  const page = await openPage(site.service, '/')
  await page.keyboard.press('Tab')
  expect(await focused(page, 'innerText')).toBe('Skip to the content')
  expect(await page.locator('.skip').isVisible()).toBe(true)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(`document.activeElement.closest('main') !== null`)).toBe(true)
  expect(await page.evaluate(`document.activeElement.closest('header') === null`)).toBe(true)
  await page.context().close()
})

test('a section folds and unfolds by the keyboard', async () => {
  const page = await openPage(site.service, '/')
  const section = page.locator('#components')
  await section.locator('> summary').focus()
  for (const [key, open] of [
    ['Enter', false],
    [' ', true],
  ] as const) {
    await page.keyboard.press(key)
    expect(await section.evaluate((element) => (element as unknown as { open: boolean }).open)).toBe(open)
    expect(await section.locator('.tree').isVisible()).toBe(open)
  }
  await page.context().close()
})

test('every stop of the tab key is visible, and none is a trap', async () => {
  const page = await openPage(site.service, '/', { width: 360 })
  const stops: string[] = []
  const nameOfStop = `(() => {
    const one = document.activeElement
    if (one === document.body) return ''
    const { width, height } = one.getBoundingClientRect()
    const outline = getComputedStyle(one).outlineStyle
    return [one.tagName, one.textContent.trim().slice(0, 30), width > 0 && height > 0 && outline !== 'none'].join(' ')
  })()`
  for (let n = 0; n < 300; n += 1) {
    await page.keyboard.press('Tab')
    const stop = (await page.evaluate(nameOfStop)) as string
    if (stop === '') break
    stops.push(stop)
  }
  expect(stops.length).toBeGreaterThan(20)
  expect(stops.length).toBeLessThan(300)
  expect(stops.filter((stop) => !stop.endsWith('true'))).toEqual([])
  await page.context().close()
})

test('a strip says of each day what it was, and of days before the item began that there is no data', async () => {
  const page = await openPage(site.service, '/')
  const strip = page.locator('.strip').first()
  await strip.focus()
  const said = async (key: string) => {
    await page.keyboard.press(key)
    return strip.getAttribute('aria-valuetext')
  }
  expect(await said('Home')).toMatch(/Not yet monitored$/)
  for (let n = 0; n < 27; n += 1) await page.keyboard.press('ArrowRight')
  expect(await said('ArrowRight')).toMatch(/Not yet monitored$/)
  expect(await said('ArrowRight')).not.toMatch(/Not yet monitored/)
  await page.context().close()
})

test.each([
  ['en', 'ltr', 'ArrowLeft', 'ArrowRight'],
  ['ar', 'rtl', 'ArrowRight', 'ArrowLeft'],
])('in the language %s the arrow keys move in the direction of the bars', async (locale, dir, back, forth) => {
  const page = await openPage(site.service, `${site.paths.item}?locale=${locale}`)
  expect(await page.evaluate('document.documentElement.dir')).toBe(dir)
  const strip = page.locator('.strip').first()
  await strip.focus()
  await page.keyboard.press('End')
  const leftOfPoint = async () => (await page.locator('.point').boundingBox())!.x
  const day = async () => Number(await strip.getAttribute('aria-valuenow'))
  const [last, lastLeft] = [await day(), await leftOfPoint()]
  for (let n = 0; n < 10; n += 1) await page.keyboard.press(back)
  expect(await day()).toBe(last - 10)
  const moved = (await leftOfPoint()) - lastLeft
  expect(Math.sign(moved)).toBe(dir === 'rtl' ? 1 : -1)
  await page.keyboard.press(forth)
  expect(await day()).toBe(last - 9)
  await page.context().close()
})
