/** What a browser shows of a page: expressions in the page, and the files of another host. */

export interface Effect {
  settings: Record<string, unknown>
  /** An expression in the page. */
  shown: string
  before: unknown
  after: unknown
  path?: string
  dark?: boolean
  locale?: string
}

export type Effects = [string, Effect][]

export const CDN = 'https://cdn.example.com'
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const image = { contentType: 'image/png', body: PIXEL }
const script = (name: string) => ({ contentType: 'text/javascript', body: `document.title += ' ${name}'` })
export const files = {
  ...{ [`${CDN}/logo.png`]: image, [`${CDN}/dark.png`]: image, [`${CDN}/icon.png`]: image, [`${CDN}/back.png`]: image },
  ...{ [`${CDN}/head.js`]: script('head'), [`${CDN}/body.js`]: script('body') },
  [`${CDN}/font.woff2`]: { contentType: 'font/woff2', body: '' },
}

export const style = (selector: string, property: string) =>
  `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue('${property}')`
export const text = (selector: string) => `document.querySelector(${JSON.stringify(selector)})?.innerText ?? null`
export const count = (selector: string) => `document.querySelectorAll(${JSON.stringify(selector)}).length`
export const middle = (selector: string) =>
  `(({ left, right }) => (left + right) / 2)(document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect())`
export const loaded = (selector: string) => `document.querySelector(${JSON.stringify(selector)})?.naturalWidth ?? 0`
export const sections = `[...document.querySelectorAll('[data-part]')].map((one) => one.dataset.part).join(' ')`
export const requested = (address: string) => `performance.getEntriesByName('${address}').length`
export const link = (url: string) => [{ label: 'Help', url, new_tab: true }]
export const profile = (part: object) => ({ public_theme_profile: part })
export const all = 'status current_activity components upcoming_maintenance past_incidents'
