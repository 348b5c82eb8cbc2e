import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { fillExample } from '../../src/domain/pages/example.ts'
import { openPage } from '../support/browser.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

/** What readers do with the page: keyboard, changes without a reload, and choices. */

let service: TestService
let payments: number
beforeAll(async () => {
  service = await openTestService()
  await fillExample(service.services, service.page)
  const { items } = (await service.admin.get('/admin/hierarchy/items')).body
  payments = items.find(({ slug }: { slug: string }) => slug === 'payments').id
})
afterAll(() => service.close())

const strip = (page: Page) => page.locator('.strip').first()
const wordsOfDay = async (page: Page) => (await strip(page).getAttribute('aria-valuetext')) ?? ''

describe('the bars of an item', () => {
  test('are one stop of the tab key, and the arrow keys read each day as the table has it', async () => {
    const page = await openPage(service, `/items/${payments}`)
    expect(await page.locator('.strip').count()).toBe(1)
    expect(await page.locator('.strip [tabindex], .strip a, .strip button').count()).toBe(0)
    await strip(page).focus()
    await page.keyboard.press('End')
    const words: string[] = []
    for (let day = 0; day < 90; day += 1) {
      words.push(await wordsOfDay(page))
      await page.keyboard.press('ArrowLeft')
    }
    expect(new Set(words).size).toBe(90)
    const eventful = await page.locator('#days ~ .table tbody tr', { has: page.locator('a') }).all()
    expect(eventful.length).toBeGreaterThan(0)
    for (const row of eventful) {
      const date = (await row.locator('th').innerText()).replace(/^\w+, /, '')
      const [happened] = await row.locator('a').allInnerTexts()
      expect(words.find((one) => one.startsWith(date))).toContain(happened)
    }
    await page.keyboard.press('Home')
    expect(await strip(page).getAttribute('aria-valuenow')).toBe('1')
    expect(await page.locator('.day').count()).toBe(1)
    await page.keyboard.press('Escape')
    expect(await page.locator('.day').count()).toBe(0)
    await page.context().close()
  })
})

test('an incident appears without a reload, is announced, and leaves folds, focus and place alone', async () => {
  const page = await openPage(service, '/')
  await page.evaluate(
    `window.shift = 0; new PerformanceObserver((list) => { for (const one of list.getEntries()) shift += one.value }).observe({ type: 'layout-shift' })`,
  )
  const past = page.locator('#past_incidents details.more').first()
  await past.locator('summary').click()
  await strip(page).focus()
  const report = { title: 'Payments fail', description: 'Cards are refused.', status: 'major_outage' }
  const { body } = await service.admin.post('/admin/incidents', { ...report, affected_items: [{ id: payments }] })
  await page.locator(`#incident-${body.id}`).waitFor()
  expect(await page.locator('[data-announce]').innerText()).toMatch(/^Major outage of Payments/)
  expect(await page.title()).toContain('Major outage of Payments')
  expect(await past.getAttribute('open')).not.toBeNull()
  expect(await page.evaluate('shift')).toBeLessThan(0.3)
  expect(await page.locator('.bars svg:not([aria-hidden])').count()).toBe(0)
  await service.admin.post(`/admin/incidents/${body.id}/resolve`)
  await page.locator('[data-part=status]', { hasText: 'All systems are operational.' }).waitFor()
  await page.context().close()
})

test('the chosen colours stay after a reload', async () => {
  const page = await openPage(service, '/')
  const theme = () => page.evaluate('document.documentElement.dataset.theme ?? "auto"')
  const toggle = page.locator('[data-theme-toggle]')
  const seen = [await theme()]
  for (let n = 0; n < 2; n += 1) {
    await toggle.click()
    seen.push(await theme())
  }
  expect(seen).toEqual(['auto', 'light', 'dark'])
  await page.reload()
  expect(await theme()).toBe('dark')
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(17, 20, 23)')
  await page.context().close()
})

test('readers can see all times in their own time zone, which the footer names then, with the years of the page', async () => {
  const past = {
    ...{ title: 'Old outage', status: 'major_outage', affected_items: [{ id: payments }] },
    ...{ started_at: '2025-03-05T10:00:00Z', resolved_at: '2025-03-05T11:00:00Z' },
  }
  const { body } = await service.admin.post('/admin/incidents/backfill', past)
  const page = await openPage(service, `/incidents/${body.id}`, { timeZone: 'Asia/Tokyo' })
  const seen = async () => {
    const times = await page.locator('.facts time, footer time').allInnerTexts()
    return [...times, await page.locator('[data-zone-name]').innerText()].join(', ')
  }
  const before = await seen()
  expect(before).toMatch(/^5 March 2025 at 11:00 UTC, .* UTC, Times are in UTC\.$/)
  const toggle = page.locator('[data-zone-toggle]')
  await toggle.click()
  const year = new Date().getFullYear()
  const zone = '(GMT\\+9|JST)'
  expect(await seen()).toMatch(
    RegExp(`^5 March 2025 at 20:00 ${zone}, .* ${year} at .*${zone}, Times are in Asia/Tokyo\\.$`),
  )
  await toggle.click()
  expect(await seen()).toBe(before)
  await toggle.click()
  const { status_types } = (await service.admin.get('/admin/status-types')).body
  const { id } = status_types.find(({ key }: { key: string }) => key === 'major_outage')
  await service.admin.patch(`/admin/status-types/${id}`, { uptime_weight: 0.5 })
  await page.goto(`${service.url}/items/${payments}`)
  const working = await page.locator('#uptime + .panel').innerText()
  expect(working).toMatch(RegExp(`The weight of Major outage was last changed on .* ${zone}`))
  expect(working).toContain('Times are in Asia/Tokyo.')
  expect(working).not.toContain('UTC')
  await page.goto(service.url)
  const recent = page.locator('#past_incidents time').first()
  expect(await recent.innerText()).toMatch(RegExp(zone))
  await page.context().close()
})

test('a printed page shows what is folded', async () => {
  const page = await openPage(service, '/')
  const folded = page.locator('#past_incidents details.more .prose').first()
  expect(await folded.isVisible()).toBe(false)
  await page.emulateMedia({ media: 'print' })
  expect(await folded.isVisible()).toBe(true)
  await page.context().close()
})

test('no page violates its own policy or fails in a script', async () => {
  for (const path of ['/', `/items/${payments}`, '/history', '/search?q=a', '/subscribe']) {
    const page = await openPage(service, path)
    const problems: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(error.message))
    await page.reload()
    await page.locator('footer').hover()
    expect(problems).toEqual([])
    await page.context().close()
  }
})
