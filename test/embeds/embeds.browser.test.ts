import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Page } from 'playwright-core'
import { fillExample } from '../../src/domain/pages/example.ts'
import { axeProblems, horizontalOverflow, openPage, takeScreenshot } from '../support/browser.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { until } from '../support/wait.ts'

let service: TestService
let host: Server
beforeAll(async () => {
  service = await openTestService()
  await fillExample(service.services, service.page)
  await settings({
    ...{ embed_badge_enabled: true, embed_widget_enabled: true, embed_launcher_enabled: true },
    ...{ embed_widget_eyebrow: 'Live status', embed_widget_title: 'Our services', embed_launcher_draggable: true },
  })
  const { items } = (await service.admin.get('/admin/hierarchy/items')).body
  const payments = items.find(({ slug }: { slug: string }) => slug === 'payments').id
  const incident = { title: 'Card payments fail', status: 'partial_outage', affected_items: [{ id: payments }] }
  await service.admin.post('/admin/incidents', incident)
  await until(
    async () => (await fetch(`${service.url}/embed.json`)).text(),
    (text) => text.includes('Card payments fail'),
  )
  host = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.setHeader('Content-Security-Policy', policy())
    response.end(foreignPage())
  })
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await new Promise((resolve) => host?.close(resolve))
  await service?.close()
})

const settings = (fields: object) => service.admin.patch('/admin/settings', fields)

/** A host that trusts nothing but the script, the images and the frames of the service: no inline styles, no inline scripts. */
const policy = () =>
  `default-src 'none'; script-src ${service.url}; connect-src ${service.url}; img-src ${service.url}; frame-src ${service.url}; style-src 'none'; require-trusted-types-for 'script'`

const foreignPage = () => `<!doctype html><html lang="en"><head><title>A shop</title></head><body>
  <h1>A shop</h1>
  <p><img id="badge" src="${service.url}/badge.svg" alt="Status"> <img src="${service.url}/badge.svg?style=rounded&theme=dark" alt="Status"></p>
  <div data-upbeat-widget></div>
  <p><iframe src="${service.url}/embed/frame" title="Status" width="420" height="300"></iframe></p>
  <script src="${service.url}/embed.js" async></script>
  <script src="${service.url}/embed.js" async></script>
</body></html>`

interface Shown {
  page: Page
  problems: string[]
}

/** The page of the host, where closed roots can be read: the test opens them before the script runs. */
async function openHost({ dark = false, width = 1000, open = true, later = false } = {}): Promise<Shown> {
  const page = await openPage(service, '/healthz', { dark, width })
  const problems: string[] = []
  page.on('console', (message) => {
    // The browser may ask for an icon of the host, which the host does not have.
    if (message.location().url.endsWith('/favicon.ico')) return
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  if (open) {
    await page.addInitScript(
      'const attach = Element.prototype.attachShadow; Element.prototype.attachShadow = function () { return attach.call(this, { mode: "open" }) }',
    )
  }
  if (later) await page.clock.install()
  const { port } = host.address() as AddressInfo
  await page.context().unrouteAll()
  await page.goto(`http://127.0.0.1:${port}/`)
  return { page, problems }
}

const button = (page: Page) => page.locator('.launcher > button')
const panel = (page: Page) => page.locator('.launcher .panel')

describe('on a page of others with a strict policy', () => {
  test('badge, frame, widget and launcher are shown, and nothing is refused', async () => {
    const { page, problems } = await openHost()
    await page.locator('section.card').waitFor()
    expect(await page.locator('section.card').innerText()).toContain('Card payments fail')
    expect(await page.locator('section.card h2').innerText()).toBe('Our services')
    expect(await page.evaluate('document.querySelector("#badge").naturalWidth')).toBeGreaterThan(60)
    expect(await page.frameLocator('iframe').locator('main').innerText()).toContain('Card payments fail')
    await button(page).click()
    expect(await panel(page).innerText()).toContain('Card payments fail')
    await takeScreenshot(page, 'embeds-light')
    expect(problems).toEqual([])
    expect(await page.evaluate('Object.keys(window).filter((key) => /upbeat|embed/i.test(key))')).toEqual([])
    await page.context().close()
  })

  test('the styles of the host and of the embeds are apart, and the roots are closed', async () => {
    const { page } = await openHost({ open: false })
    await page.waitForFunction('document.querySelector("[data-upbeat-widget]").className !== undefined')
    await until(
      () => page.evaluate('document.querySelector("[data-upbeat-widget]").getBoundingClientRect().height'),
      (height) => Number(height) > 50,
    )
    expect(await page.evaluate('document.querySelector("[data-upbeat-widget]").shadowRoot')).toBe(null)
    expect(await page.evaluate('getComputedStyle(document.querySelector("h1")).fontFamily')).not.toContain('system-ui')
    await page.context().close()
  })

  test('rules of the host do not reach the embeds', async () => {
    const { page } = await openHost()
    await button(page).waitFor()
    const read = () =>
      page.evaluate(`['[data-upbeat-widget]', 'body > div:last-of-type'].map((host) => {
        const { letterSpacing, textTransform, color, opacity } = getComputedStyle(document.querySelector(host).shadowRoot.querySelector('a.more'))
        return [letterSpacing, textTransform, color, opacity, getComputedStyle(document.querySelector(host)).opacity]
      })`)
    const before = await read()
    await page.evaluate(`(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('* { letter-spacing: 9px !important; text-transform: uppercase; opacity: 0.2 !important; --text: red; color: red }')
      document.adoptedStyleSheets = [sheet]
    })()`)
    expect(await read()).toEqual(before)
    await page.context().close()
  })

  test('while the service is away, the last state stays, and nothing breaks', async () => {
    const { page, problems } = await openHost({ later: true })
    await page.locator('section.card .more').focus()
    await page.clock.fastForward('02:00')
    expect(
      await page.evaluate('document.querySelector("[data-upbeat-widget]").shadowRoot.activeElement?.className'),
    ).toBe('more')
    await page.context().route(/embed\.json/, (route) => route.abort())
    for (let minute = 0; minute < 3; minute += 1) await page.clock.fastForward('05:00')
    expect(await page.locator('section.card').innerText()).toContain('Card payments fail')
    expect(await button(page).count()).toBe(1)
    expect(problems.filter((problem) => !problem.startsWith('Failed to load resource'))).toEqual([])
    await page.context().close()
  })

  test('the launcher works by keyboard', async () => {
    const { page } = await openHost()
    await button(page).focus()
    await page.keyboard.press('Enter')
    expect(await button(page).getAttribute('aria-expanded')).toBe('true')
    expect(
      await page.evaluate('document.querySelector("body > div:last-of-type").shadowRoot.activeElement.className'),
    ).toBe('close')
    await page.keyboard.press('Escape')
    expect(await panel(page).isVisible()).toBe(false)
    const before = await button(page).boundingBox()
    await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Shift+ArrowUp')
    const after = await button(page).boundingBox()
    expect([after!.x - before!.x, after!.y - before!.y]).toEqual([-16, -16])
    await page.context().close()
  })

  test('the launcher is moved by a pointer, stays in the window, and remembers its place', async () => {
    const { page } = await openHost()
    await button(page).waitFor()
    const box = (await button(page).boundingBox())!
    await page.mouse.move(box.x + 10, box.y + 10)
    await page.mouse.down()
    await page.mouse.move(box.x - 190, box.y - 90, { steps: 5 })
    await page.mouse.up()
    expect(await panel(page).isVisible()).toBe(false)
    const moved = (await button(page).boundingBox())!
    expect([Math.round(moved.x - box.x), Math.round(moved.y - box.y)]).toEqual([-200, -100])
    await page.reload()
    await until(
      async () => Math.round((await button(page).boundingBox())?.x ?? 0),
      (x) => x === Math.round(moved.x),
    )
    await page.mouse.move(moved.x + 10, moved.y + 10)
    await page.mouse.down()
    await page.mouse.move(-500, -500, { steps: 5 })
    await page.mouse.up()
    await page.keyboard.press('Enter')
    expect(await panel(page).isVisible()).toBe(true)
    const last = (await button(page).boundingBox())!
    expect([Math.round(last.x), Math.round(last.y)]).toEqual([8, 8])
    await page.context().close()
  })

  test.each([
    ['position', { embed_launcher_position: 'top_left' }, (box: Box) => box.x < 100 && box.y < 100],
    ['display', { embed_launcher_button_display: 'icon' }, (box: Box) => box.width < 60],
  ])('the %s is as the settings have it', async (_name, fields, holds) => {
    await settings(fields)
    await until(
      async () => (await fetch(`${service.url}/embed.json`)).text(),
      (text) => Object.values(fields).every((value) => text.includes(`"${value}"`)),
    )
    const { page } = await openHost()
    await button(page).waitFor()
    await until(async () => holds((await button(page).boundingBox())!), Boolean)
    await settings({ embed_launcher_position: 'bottom_right', embed_launcher_button_display: 'icon_and_text' })
    await page.context().close()
  })

  test('the colours of the button differ in the dark', async () => {
    const colors = { embed_launcher_button_color: '#113355', embed_launcher_button_color_dark: '#ffcc00' }
    await settings({ ...colors, embed_launcher_button_text_color: '#00ff00' })
    await until(
      async () => (await fetch(`${service.url}/embed.json`)).text(),
      (text) => text.includes('#ffcc00'),
    )
    for (const [dark, color] of [
      [false, 'rgb(17, 51, 85)'],
      [true, 'rgb(255, 204, 0)'],
    ] as const) {
      const { page } = await openHost({ dark })
      await button(page).waitFor()
      const read = `(() => { const style = getComputedStyle(document.querySelector('body > div:last-of-type').shadowRoot.querySelector('.button')); return [style.backgroundColor, style.color] })()`
      expect(await page.evaluate(read)).toEqual([color, 'rgb(0, 255, 0)'])
      if (dark) await takeScreenshot(page, 'embeds-dark')
      await page.context().close()
    }
    await settings({
      embed_launcher_button_color: '',
      embed_launcher_button_color_dark: '',
      embed_launcher_button_text_color: '',
    })
  })
})

test('the guide fits a phone, also with a long label of the badge', async () => {
  const label = 'A label of a badge '.repeat(6).slice(0, 100)
  await settings({ embed_badge_label: label })
  await until(
    async () => (await fetch(`${service.url}/embed`)).text(),
    (text) => text.includes(label.trim()),
  )
  const page = await openPage(service, '/embed', { width: 360 })
  await page.waitForFunction('[...document.images].every(({ naturalWidth }) => naturalWidth > 400)')
  expect(await horizontalOverflow(page)).toBe(0)
  await page.context().close()
  await settings({ embed_badge_label: '' })
})

test('the guide has the code of each, a preview, and no accessibility problems', async () => {
  for (const [width, dark] of [
    [1280, false],
    [360, true],
  ] as const) {
    const page = await openPage(service, '/embed', { width, dark, bypassCSP: true })
    await page.locator('[data-upbeat-widget]').waitFor()
    for (const part of ['badge', 'widget', 'frame', 'launcher']) {
      expect(await page.locator(`#${part}`).count()).toBe(1)
    }
    expect(await page.locator('pre').first().innerText()).toMatch(/^<a href="http.*badge\.svg/)
    await takeScreenshot(page, `guide-${width}`)
    expect(await axeProblems(page)).toEqual([])
    await page.context().close()
  }
  const page = await openPage(service, '/embed')
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  await page.reload({ waitUntil: 'networkidle' })
  expect(problems).toEqual([])
  await page.context().close()
})

interface Box {
  x: number
  y: number
  width: number
}
