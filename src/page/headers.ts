import { createHash } from 'node:crypto'
import type { SiteView } from '../domain/pages/views/site.ts'
import { cssHosts } from '../domain/settings/css/css-hosts.ts'
import { cleanCss } from '../domain/settings/css/custom-css.ts'
import { isSecureAddress } from '../domain/settings/rules.ts'
import { themeScriptHash } from './browser/scripts.ts'

/** What a page may load. Everything else is refused by the browser. */
interface Sources {
  style: string
  images?: string[]
  fonts?: string[]
  scripts?: string[]
  /** Where the scripts of the page may connect. */
  connect?: string[]
  frames?: string[]
  forms?: boolean
  /** Whether pages of others may show the document in a frame. */
  framed?: boolean
}

/** Headers that let a browser only load what a page names, and send the forms of the page. */
export function headersOf({
  style,
  images = [],
  fonts = [],
  scripts = [],
  connect = [],
  frames = [],
  forms = false,
  framed = false,
}: Sources) {
  const hash = createHash('sha256').update(style).digest('base64')
  const list = (name: string, sources: string[]) => (sources.length > 0 ? [`${name} ${sources.join(' ')}`] : [])
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      `img-src ${['data:', ...images].join(' ')}`,
      ...list('font-src', fonts),
      ...list('script-src', scripts),
      ...list('connect-src', connect),
      ...list('frame-src', frames),
      "base-uri 'none'",
      `form-action ${forms ? "'self'" : "'none'"}`,
      `frame-ancestors ${framed ? '*' : "'none'"}`,
    ].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  }
}

/** The headers of a page with the settings of its site. `showsItself`: images and documents of the same host. */
export function siteHeaders({ settings }: SiteView, style: string, showsItself = false) {
  const { logo_url, logo_url_dark, favicon_url, page_background_url, header_background_url } = settings
  const { body_font_url, heading_font_url, custom_head_script_url, custom_body_script_url } = settings
  const { urls } = cleanCss(settings.custom_css, cssHosts(settings))
  const custom = sourcesOf([custom_head_script_url, custom_body_script_url])
  return headersOf({
    style,
    images: [
      ...(showsItself ? ["'self'"] : []),
      ...sourcesOf([logo_url, logo_url_dark, favicon_url, page_background_url, header_background_url, ...urls]),
    ],
    frames: showsItself ? ["'self'"] : [],
    fonts: sourcesOf([body_font_url, heading_font_url, ...urls]),
    scripts: ["'self'", `'${themeScriptHash}'`, ...custom],
    connect: ["'self'"],
    forms: true,
  })
}

/**
 * Addresses as sources of a policy: without the query, and without characters that separate sources. A stored address that the
 * settings no longer take, such as one of many hosts, is left out.
 */
export function sourcesOf(addresses: string[]): string[] {
  const sources = addresses.filter(isSecureAddress).map((address) => {
    const { origin, pathname } = new URL(address)
    return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C')
  })
  return [...new Set(sources)]
}
