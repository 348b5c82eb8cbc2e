import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { inOneLine, line, withLater } from '../kernel/schema.ts'
import { laterFields, pageFields } from '../settings/groups/index.ts'
import { type Settings, SettingsResource, SettingsUpdateRequest } from '../settings/schema.ts'
import type { Reading } from '../translations/languages.ts'
import { wordsFor } from '../translations/read.ts'
import { translations, variantsOut } from '../translations/schema.ts'
import { type SettingWords, withWords } from './settings-words-rules.ts'

const TEXTS = [
  'site_title',
  'site_subtitle',
  'footer_text',
  'embed_badge_label',
  'embed_launcher_label',
  'embed_widget_title',
  'embed_widget_eyebrow',
]

const MAX_LINKS = 40

const linkLabels = z
  .record(inOneLine(line(100)), inOneLine(line(100)))
  .refine((labels) => Object.keys(labels).length <= MAX_LINKS, `must name at most ${MAX_LINKS} labels`)
  .describe(
    'The labels of `header_navigation_links` and `footer_navigation_links` in this language, each by its original label',
  )

/** The texts of the settings that can be translated, with the bounds of the settings. */
const settingWords = {
  ...Object.fromEntries(
    Object.entries(pageFields).flatMap(([name, field]) => (TEXTS.includes(name) ? [[name, field.unwrap()]] : [])),
  ),
  link_labels: linkLabels,
}

const settingTranslationsOut = variantsOut(
  z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])),
  'SettingsVariant',
)

export const TranslatedSettings = SettingsResource.extend({ translations: settingTranslationsOut }).meta({
  id: 'Settings',
})

export const TranslatedSettingsRequest = withLater(
  SettingsUpdateRequest.extend({ translations: translations(settingWords) }),
  Object.keys(laterFields),
)

/** The settings in the language of a reader. */
export async function settingsIn(tx: EntityManager, reading: Reading, settings: Settings, pageId: number) {
  const words = await wordsFor(tx, reading, { settings: [{ id: pageId }] })
  return withWords(settings, words('settings', pageId) as SettingWords)
}
