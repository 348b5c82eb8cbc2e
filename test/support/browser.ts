import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll } from '@jest/globals'
import type { AxeResults } from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { chromiumPaths } from './chromium.ts'

interface Reader {
  width?: number
  height?: number
  dark?: boolean
  /** The language that the browser asks for. */
  locale?: string
  javaScript?: boolean
  /** Whether the content security policy is ignored, so that axe can run in the page. */
  bypassCSP?: boolean
  timeZone?: string
  /** What other hosts answer, by address; all other hosts are out of reach. */
  files?: Record<string, { contentType: string; body: string | Buffer }>
}

let browser: Promise<Browser> | undefined

/** One browser for all tests of a file; this module is loaded again for each file. */
afterAll(async () => {
  await (await browser?.catch(() => undefined))?.close()
})

/** Opens an address of a service as a new reader, without cookies or storage of others. */
export async function openPage({ url }: { url: string }, path: string, reader: Reader = {}): Promise<Page> {
  browser ??= launchBrowser(process.env)
  const { width = 1280, height = 900, dark = false, locale = 'en', javaScript = true, bypassCSP = false } = reader
  const options: BrowserContextOptions = {
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    ...{ locale, javaScriptEnabled: javaScript, bypassCSP, timezoneId: reader.timeZone ?? 'UTC' },
  }
  const context = await (await browser).newContext(options)
  const { files = {} } = reader
  await context.route(
    (address) => !address.href.startsWith(url),
    (route) => {
      const file = files[route.request().url()]
      return file ? route.fulfill({ ...file, headers: { 'Access-Control-Allow-Origin': '*' } }) : route.abort()
    },
  )
  const page = await context.newPage()
  await page.goto(new URL(path, url).href)
  return page
}

export async function launchBrowser(env: NodeJS.ProcessEnv): Promise<Browser> {
  const problems: string[] = []
  for (const find of chromiumPaths(env)) {
    try {
      return await chromium.launch({ executablePath: await find(), chromiumSandbox: false, headless: true })
    } catch (thrown) {
      problems.push(
        String((thrown as Error).message)
          .split('\n')
          .slice(0, 6)
          .join('\n'),
      )
    }
  }
  throw new Error(
    `No browser starts. Install the Debian package chromium, or name the program of a Chromium in CHROMIUM_PATH.\n${problems.join('\n')}`,
  )
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The accessibility problems that axe finds, as sentences. The page must be opened with `bypassCSP`. */
export async function axeProblems(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  const { violations } = (await page.evaluate('axe.run()')) as AxeResults
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`))
}

/** By how many pixels the page is wider than the window. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/** Writes a picture of the whole page if SCREENSHOTS names a folder. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
