import type { PageRef } from '../domain/kernel/context.ts'
import { Problem } from '../domain/kernel/errors.ts'
import type { Services } from '../domain/kernel/services.ts'
import { type Branding, readBranding, titleIn, unknownBranding } from '../domain/pages/branding.ts'
import { cssHosts } from '../domain/settings/css/css-hosts.ts'
import { cleanCss } from '../domain/settings/css/custom-css.ts'
import type { PublicReads } from '../web/public-reads.ts'
import { headersOf, sourcesOf } from './headers.ts'
import { html, type Markup } from './markup.ts'
import { logos, titleOf } from './site/header.ts'
import { identitySheet } from './site/site-sheet.ts'
import { themeOf } from './site/theme-rules.ts'
import { plainStyle } from './style.ts'

export interface BrandingDeps {
  services: Pick<Services, 'app'>
  reads: PublicReads
}

/** The branding of a page. Pages without records are shown without the database too, then as long as nothing is known in neutral colours. */
export async function brandingOf({ services, reads }: BrandingDeps, page: PageRef): Promise<Branding> {
  try {
    const make = async () => ({ body: JSON.stringify(await readBranding(services, page)) })
    const { body } = await reads.read(page.id, 'branding', make)
    return JSON.parse(body.plain.toString()) as Branding
  } catch (error) {
    if (error instanceof Problem && error.code === 'unavailable') return unknownBranding
    throw error
  }
}

/** The branding in the language of a reader, as the parts of a small page. */
export interface Branded {
  title: string
  /** The logo and the title, as in the header of the status page. */
  header: Markup
  style: string
  /** The address of the icon; empty for none. */
  icon: string
  headers: Record<string, string>
  /** Light or dark, if the settings choose one of them. */
  theme: 'light' | 'dark' | undefined
}

export function brandedAs(branding: Branding, page: { name: string }, locale: string, sheet = ''): Branded {
  const { settings } = branding
  const title = titleIn(branding, page, locale)
  const own = cleanCss(settings.custom_css, cssHosts(settings))
  const style = plainStyle() + identitySheet.trim().replace(/\n/g, '') + sheet + themeOf(settings) + own.css
  const { color_scheme } = settings.public_theme_profile
  const name = html`<bdi>${title}</bdi>`
  return {
    ...{ title, style, icon: settings.favicon_url },
    header: html`<header class="top"><div class="bar"><p class="identity">${logos(settings)}<span class="site">${titleOf(name, settings)}</span></p></div></header>`,
    headers: headersOf({
      style,
      images: sourcesOf([
        settings.logo_url,
        settings.logo_url_dark,
        settings.favicon_url,
        settings.page_background_url,
        settings.header_background_url,
        ...own.urls,
      ]),
      fonts: sourcesOf([settings.body_font_url, settings.heading_font_url, ...own.urls]),
      forms: true,
    }),
    theme: color_scheme === 'auto' ? undefined : color_scheme,
  }
}
