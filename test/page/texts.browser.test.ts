import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { axeProblems, horizontalOverflow, openPage, takeScreenshot } from '../support/browser.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

/** The texts of records, as a browser lays them out. */

const LINE = 'upstream connect error or disconnect/reset before headers, '.repeat(5)

let service: TestService
let incident: number
beforeAll(async () => {
  service = await openTestService()
  const { admin } = service
  const arabic = { locale: 'ar', state: 'published', values: { site_title: 'الحالة' } }
  await admin.patch('/admin/settings', {
    ...{ multilingual_enabled: true, multilingual_public_ready: true, supported_locales: ['en', 'ar'] },
    ...{ site_title: 'Status', translations: [arabic] },
  })
  const { id } = (await admin.post('/admin/hierarchy/items', { name: 'Shop', description: 'All of it' })).body
  const description = `It fails:\n\n- orders\n- refunds\n\n> quoted\n\n\`\`\`\n${LINE}\n\`\`\``
  const report = { title: 'Payments fail', description, status: 'major_outage', affected_items: [{ id }] }
  incident = (await admin.post('/admin/incidents', report)).body.id
})
afterAll(() => service.close())

const edges = (page: Page, ...selectors: string[]): Promise<Record<'top' | 'bottom' | 'left' | 'right', number>[]> =>
  page.evaluate(`${JSON.stringify(selectors)}.map((selector) => {
    const words = document.createRange()
    words.selectNodeContents(document.querySelector(selector))
    return words.getBoundingClientRect().toJSON()
  })`)

test('the link to the details keeps a distance from the affected items', async () => {
  const page = await openPage(service, '/')
  const card = `#incident-${incident}`
  const [items, link] = await edges(page, `${card} .about:not(.more)`, `${card} > .more`)
  expect(link!.top - items!.bottom).toBeGreaterThan(8)
  await page.context().close()
})

test('on a page from right to left, texts from left to right begin at the right, and code stays at the left', async () => {
  const page = await openPage(service, '/?locale=ar', { width: 640, locale: 'ar' })
  await takeScreenshot(page, 'texts-ar')
  const prose = `#incident-${incident} .prose`
  const [title, text, point] = await edges(page, 'h3', `${prose} p`, `${prose} li`)
  expect(Math.abs(text!.right - title!.right)).toBeLessThan(2)
  expect(title!.right - point!.right).toBe(20)
  // The colon is at the end of the words, not before them.
  const colon = `(() => {
    const { firstChild } = document.querySelector('${prose} p')
    const sign = document.createRange()
    sign.setStart(firstChild, firstChild.length - 1)
    sign.setEnd(firstChild, firstChild.length)
    return sign.getBoundingClientRect().right
  })()`
  expect(await page.evaluate(colon)).toBe(text!.right)
  const [name, description] = await edges(page, '.name a', '.name small')
  expect(Math.abs(description!.right - name!.right)).toBeLessThan(2)
  expect(await page.evaluate(`getComputedStyle(document.querySelector('${prose} pre')).textAlign`)).toBe('left')
  await page.context().close()
})

test('long lines of code are wrapped, so that nothing is out of reach of the keyboard', async () => {
  const page = await openPage(service, `/incidents/${incident}`, { width: 360, bypassCSP: true })
  await takeScreenshot(page, 'texts-code')
  expect(
    await page.evaluate(`(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('pre'))`),
  ).toBe(0)
  expect(await horizontalOverflow(page)).toBe(0)
  expect(await axeProblems(page)).toEqual([])
  await page.context().close()
})

test.each([360, 1280])('in a window of %i pixels the title of a page keeps a distance from a card', async (width) => {
  const page = await openPage(service, '/search', { width })
  for (const path of ['/search', '/embed']) {
    await page.goto(new URL(path, service.url).href)
    const gap = `document.querySelector('h1 + .card').getBoundingClientRect().top - document.querySelector('h1').getBoundingClientRect().bottom`
    expect(await page.evaluate(gap)).toBeGreaterThan(10)
  }
  await page.context().close()
})

test('the status of what a search found is on the line of the name', async () => {
  const page = await openPage(service, '/search?q=shop')
  await takeScreenshot(page, 'texts-search')
  const [name, status] = await edges(page, '.results a', '.results .mark bdi')
  expect(Math.abs(status!.bottom - name!.bottom)).toBeLessThan(1)
  await page.context().close()
})

test('the link to the details begins below the title, also after a timeline', async () => {
  const card = `#incident-${incident}`
  await service.admin.post(`/admin/incidents/${incident}/updates`, { message: 'We look into it.' })
  const page = await openPage(service, '/')
  const [title, link] = await edges(page, `${card} h3`, `${card} > .line + .more`)
  expect(link!.left).toBe(title!.left)
  await page.context().close()
})
