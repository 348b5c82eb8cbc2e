import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { cleanCss } from '../../src/domain/settings/css/custom-css.ts'
import { axeProblems, horizontalOverflow, openPage, takeScreenshot } from '../support/browser.ts'
import { openTestService, type TestService } from '../support/test-service.ts'
import { change, makeLink } from './readers.ts'

const PASSWORD = 'correct horse'
let service: TestService
beforeAll(async () => {
  service = await openTestService()
  await change(service, { viewer_auth_mode: 'password', viewer_password: PASSWORD })
})
afterAll(() => service.close())

test.each(['/', '/status/first'])('a viewer enters the password at %s with the keyboard alone', async (home) => {
  const page = await openPage(service, `${home.replace(/\/$/, '')}/history`, { javaScript: false })
  expect(await page.title()).toBe('This page needs a password: First')
  // The field has the focus.
  await page.keyboard.type('wrong password')
  await page.keyboard.press('Enter')
  await page.waitForSelector('[role=alert]')
  expect(await page.locator('[role=alert]').textContent()).toBe('This password is not correct.')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/history')
  expect(await page.locator('input[type=password]').count()).toBe(0)
  await page.goto(service.url + home)
  expect(await page.locator('h1').first().textContent()).toContain('First')
  // The password is of no use for a page that the browser has not opened yet.
  expect(await page.context().cookies()).toMatchObject([{ httpOnly: true, sameSite: 'Lax', path: home }])
  await page.context().close()
})

test('the links of a page that an access link opened work', async () => {
  const { token } = await makeLink(service)
  const page = await openPage(service, `/status/first?access=${token}`, { javaScript: false })
  await page.locator('a[href^="/status/first/history"]').first().click()
  await page.waitForURL('**/status/first/history*')
  expect(await page.locator('input[type=password]').count()).toBe(0)
  expect(page.url()).not.toContain(token)
  await page.context().close()
})

describe('the form', () => {
  test.each([
    ['en', 1280, false],
    ['de', 360, true],
    ['ar', 360, false],
    ['ja', 1280, true],
  ])('in %s has no accessibility problems, %d pixels wide, dark: %s', async (locale, width, dark) => {
    const page = await openPage(service, '/', { locale, width, dark, bypassCSP: true })
    expect(await page.locator('html').getAttribute('lang')).toBe(locale)
    expect([await axeProblems(page), await horizontalOverflow(page)]).toEqual([[], 0])
    await takeScreenshot(page, `password-${locale}`)
    await page.fill('input[type=password]', 'wrong password')
    await page.press('input[type=password]', 'Enter')
    await page.waitForSelector('[role=alert]')
    expect(await axeProblems(page)).toEqual([])
    await page.context().close()
  })
})

const pieces = [
  ...[
    'url(https://evil.example)',
    '\\75rl(https://evil.example)',
    'u\\72l("https://evil.example")',
    'var(--a,',
    ')',
    '"',
    "'",
  ],
  ...[
    'image-set("https://evil.example" 1x)',
    '@import "https://evil.example";',
    '@\\69mport "https://evil.example";',
    '\\',
  ],
  ...[
    '/*',
    '*/',
    ';',
    '{',
    '}',
    'background:',
    '--a:',
    'content:',
    'a',
    '&',
    '(',
    '[',
    ']',
    ' ',
    '\n',
    '\f',
    '\\\n',
    '<',
    '!',
    ',',
  ],
]

/** A program of the browser: the CSS with an address outside quotes, as the browser reads the CSS. */
const withAddresses = String.raw`(list) => list.filter((css) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  const rules = [...sheet.cssRules].map((rule) => rule.cssText).join(' ')
  return /url\(|image-set|@import/.test(rules.replace(/"(\\.|[^"\\])*"/gs, ''))
})`

test('a browser finds no other address in CSS than the parser', async () => {
  const page = await openPage(service, '/', { bypassCSP: true })
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const texts = Array.from({ length: 3000 }, () => {
    const inner = Array.from({ length: 1 + random(12) }, () => pieces[random(pieces.length)]).join('')
    return [
      inner,
      `a{background:${inner}}`,
      `a{color:red;${inner}}b{top:0}`,
      `:root{--x:${inner}}a{background:var(--x)}`,
    ][random(4)]!
  })
  const shown = texts.map((text) => cleanCss(text, new Set()).css).filter(Boolean)
  expect(shown.length).toBeGreaterThan(200)
  const found = (list: string[]) => page.evaluate(`(${withAddresses})(${JSON.stringify(list)})`)
  expect(await found(['a{background:\\75rl("https://evil.example")}', 'a{color:red}'])).toHaveLength(1)
  expect(await found(shown)).toEqual([])
  await page.context().close()
})
