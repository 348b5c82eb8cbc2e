import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { fillExample } from '../../src/domain/pages/example.ts'
import { axeProblems, horizontalOverflow, launchBrowser, openPage, takeScreenshot } from '../support/browser.ts'
import { chromiumPaths } from '../support/chromium.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService()
  await fillExample(service.services, service.page)
  await service.admin.post('/admin/incidents', {
    ...{ title: 'Payments fail', description: 'Cards are refused.', status: 'major_outage' },
    affected_items: [{ slug: 'payments' }],
  })
})
afterAll(() => service.close())

describe.each([360, 1280])('the page of the example in a window of %i pixels', (width) => {
  test.each([
    ['light', false],
    ['dark', true],
  ])('has no accessibility problem and no horizontal scroll bar in %s colors', async (colors, dark) => {
    const page = await openPage(service, '/', { width, dark, bypassCSP: true })
    await takeScreenshot(page, `example-${width}-${colors}`)
    expect(await axeProblems(page)).toEqual([])
    expect(await horizontalOverflow(page)).toBe(0)
    await page.context().close()
  })
})

test('the page is complete without JavaScript', async () => {
  const page = await openPage(service, '/', { javaScript: false })
  const words = await page.innerText('main')
  for (const word of ['Payments fail', 'Cards are refused.', 'Checkout', 'Major outage']) expect(words).toContain(word)
  await page.context().close()
})

test('the accessibility check finds problems', async () => {
  const page = await openPage(service, '/', { bypassCSP: true })
  await page.evaluate('document.querySelector("h1").innerHTML += "<img src=x>"')
  expect(await axeProblems(page)).toEqual([expect.stringMatching(/^image-alt: .*<img src="x">/)])
  await page.context().close()
})

test('the browser of the development dependencies is found, whatever else is installed', async () => {
  const [bundled] = chromiumPaths({})
  expect(existsSync(await bundled!())).toBe(true)
})

test('a missing browser is a sentence that names the package and the variable', async () => {
  await expect(launchBrowser({ CHROMIUM_PATH: '/nowhere/chromium' })).rejects.toThrow(
    /^No browser starts\. Install the Debian package chromium, or name the program of a Chromium in CHROMIUM_PATH\.\n.*\/nowhere\/chromium/s,
  )
})
