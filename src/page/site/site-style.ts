import type { SiteView } from '../../domain/pages/views/site.ts'
import { cssHosts } from '../../domain/settings/css/css-hosts.ts'
import { cleanCss } from '../../domain/settings/css/custom-css.ts'
import { styleOf } from '../style.ts'
import { hasAccessibleColors } from './context.ts'
import { themeOf } from './theme-rules.ts'

/** The style of all pages: the fixed style, the theme of the settings, and the CSS of the settings. */
export function siteStyle(site: SiteView): string {
  const { settings, status_types } = site
  const own = cleanCss(settings.custom_css, cssHosts(settings)).css
  return styleOf(status_types, { accessible: hasAccessibleColors(site) }) + themeOf(settings) + own
}
