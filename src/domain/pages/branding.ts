import { inPageTransaction } from '../../persistence/transactions.ts'
import type { PageRef } from '../kernel/context.ts'
import type { Services } from '../kernel/services.ts'
import { withDatabase } from '../kernel/unavailable.ts'
import { filled, type Settings } from '../settings/schema.ts'
import { settingsOf } from '../settings/stored.ts'
import { languagesOf } from '../translations/languages.ts'
import { translationsOf } from '../translations/read.ts'
import { type Languages, wordsIn } from '../translations/rules.ts'

const fields = [
  'site_title',
  'show_site_title',
  'logo_url',
  'logo_url_dark',
  'favicon_url',
  'custom_css',
  'header_identity_mode',
  'header_layout',
  'header_background_url',
  'page_layout',
  'page_background_mode',
  'page_background_url',
  'brand_color_light',
  'brand_color_dark',
  'body_font_preset',
  'body_font_url',
  'heading_font_preset',
  'heading_font_url',
  'public_theme_profile',
] as const satisfies (keyof Settings)[]

/** What pages without records, such as forms, show of a status page: who may read the status page is not known there. */
export interface Branding {
  settings: Pick<Settings, (typeof fields)[number]>
  languages: Languages
  /** The published translations of the title. */
  titles: { locale: string; values: Record<string, string> }[]
}

const brandingFrom = (settings: Settings) =>
  Object.fromEntries(fields.map((name) => [name, settings[name]])) as Branding['settings']

/** While the database does not answer. */
export const unknownBranding: Branding = {
  settings: brandingFrom(filled({})),
  languages: { original: 'en', offered: [] },
  titles: [],
}

export const readBranding = ({ app }: Pick<Services, 'app'>, { id }: PageRef): Promise<Branding> =>
  withDatabase(() =>
    inPageTransaction(app, id, async (tx) => {
      const settings = brandingFrom(await settingsOf(tx))
      const languages = await languagesOf(tx)
      const known =
        languages.offered.length > 0 ? (await translationsOf(tx, { settings: [{ id }] }))('settings', id) : []
      const titles = known.flatMap(({ locale, values, state }) => (state === 'published' ? [{ locale, values }] : []))
      return { settings, languages, titles }
    }),
  )

/** The title of the page in a language that the page offers, else in its original language. */
export const titleIn = ({ settings, languages, titles }: Branding, page: { name: string }, locale: string): string => {
  const { site_title = settings.site_title } = languages.offered.length > 0 ? wordsIn(locale, titles) : {}
  return site_title || page.name
}
