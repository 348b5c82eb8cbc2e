import { z } from 'zod'
import { Feed } from '../../../persistence/entities/feed.ts'
import { Page } from '../../../persistence/entities/page.ts'
import type { StatusType } from '../../../persistence/entities/status-type.ts'
import type { Context } from '../../kernel/context.ts'
import { momentOut } from '../../kernel/schema.ts'
import { shownOf } from '../../settings/fields.ts'
import { pageFields } from '../../settings/groups/index.ts'
import { dateLocale } from '../../settings/rules.ts'
import { PublicSettings, type Settings } from '../../settings/schema.ts'
import { settingsOf } from '../../settings/stored.ts'
import { languagesOf, readingIn } from '../../translations/languages.ts'
import { wordsFor } from '../../translations/read.ts'
import { allStages, statusTypes } from '../../vocabulary/lookup.ts'
import { statusTypeNamer } from '../../vocabulary/names.ts'
import { StatusTypeResource } from '../../vocabulary/schema.ts'
import { type SettingWords, withWords } from '../settings-words-rules.ts'

/** What every HTML page of a status page needs: its settings, its languages and its status types. */
export const SiteView = z.strictObject({
  name: z.string(),
  slug: z.string(),
  page_slug: z.string(),
  language: z.string().describe('The language of the answer'),
  languages: z.array(z.string()).describe('The languages that readers can choose; empty without translations'),
  original_language: z.string().describe('The language of records without a translation'),
  translated: z
    .record(z.string(), z.array(z.string()))
    .describe(
      'The translated fields of each record, such as `incident:7` or `settings:0`; all other fields are in `original_language`',
    ),
  vocabulary: z
    .array(z.string())
    .describe('The names of status types and stages that the page has translated into `language`'),
  feeds: z.array(z.enum(['rss', 'atom'])).describe('The formats of the built-in feeds that are enabled'),
  date_locale: z.string().describe('The locale of dates and times'),
  time_zone: z.string().describe('The time zone of the page'),
  generated_at: momentOut(),
  settings: PublicSettings as unknown as z.ZodType<Settings>,
  status_types: z.array(
    StatusTypeResource.pick({
      key: true,
      name: true,
      icon: true,
      color: true,
      is_operational: true,
      display_order: true,
    }),
  ),
})
export type SiteView = z.output<typeof SiteView>

/** The shared data of a page, and the reading of its records. */
export async function siteOf({ tx, page, now }: Pick<Context, 'tx' | 'page' | 'now'>, locale: string | undefined) {
  const { name, public_slug, page_slug } = await tx.findOneOrFail(Page, { id: page.id })
  const original = await settingsOf(tx)
  const reading = await readingIn(tx, locale)
  const types = await statusTypes(tx)
  const stages = reading.translated ? await allStages(tx) : []
  const words = await wordsFor(tx, reading, { settings: [page], status_type: types, lifecycle_stage: stages })
  const settings = withWords(original, words('settings', page.id) as SettingWords)
  const nameOf = statusTypeNamer(reading, words)
  const { offered } = await languagesOf(tx)
  const feeds = await tx.find(
    Feed,
    { built_in: true, enabled: true, format: ['rss', 'atom'] },
    { orderBy: { id: 'asc' } },
  )
  const site: SiteView = {
    name: settings.site_title || name,
    ...{ slug: public_slug, page_slug },
    language: reading.language,
    languages: offered.length > 1 ? offered : [],
    original_language: settings.document_locale,
    translated: { 'settings:0': Object.keys(words('settings', page.id)) },
    vocabulary: [
      ...types.map(({ id }) => words('status_type', id).name),
      ...stages.map(({ id }) => words('lifecycle_stage', id).name),
    ].filter((translation) => translation !== undefined),
    feeds: feeds.map(({ format }) => format as 'rss' | 'atom'),
    date_locale: dateLocale(settings.datetime_locale, reading.language, settings.document_locale),
    time_zone: settings.reliability_policy_timezone,
    generated_at: now.toISOString(),
    settings: Object.fromEntries(shown.map((field) => [field, settings[field as keyof typeof settings]])) as never,
    status_types: types.map((type) => ({ ...lookOf(type), name: nameOf(type) })),
  }
  return { site, reading, settings }
}

const shown = Object.keys(shownOf(pageFields))

const lookOf = ({ key, icon, color, is_operational, display_order }: StatusType) => ({
  ...{ key, icon, color, is_operational, display_order },
})
