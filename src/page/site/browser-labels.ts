import type { LabelKey } from '../../languages/texts.ts'
import type { SiteContext } from './context.ts'

/** The labels that the scripts of the page need. */
const keys = [
  'page.day.operational',
  'page.day.uptime',
  'page.day.no_data',
  'page.bars.hint',
  'page.zone',
  'page.zone.own',
  'page.zone.page',
  'page.live.changed',
  'page.theme.light',
  'page.theme.dark',
  'page.theme.auto',
] as const satisfies LabelKey[]

/** As JSON that may be within a script element: no text can end the element. */
export function browserLabels({ text, labels, site }: SiteContext): string {
  const texts = Object.fromEntries(keys.map((key) => [key, text(key)]))
  return JSON.stringify({ language: labels.language, dates: site.date_locale, texts }).replaceAll('<', '\\u003c')
}
