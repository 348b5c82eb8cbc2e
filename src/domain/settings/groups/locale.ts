import { z } from 'zod'
import { dateLocaleOrNone, flag, locale } from '../fields.ts'

const MAX_LOCALES = 50

export const locales = {
  working: {
    document_locale: locale()
      .default('en')
      .describe('The language of records; one of `supported_locales` if those are set'),
    supported_locales: z
      .array(locale())
      .max(MAX_LOCALES)
      .refine((tags) => new Set(tags).size === tags.length, 'must not name a language twice')
      .default([])
      .describe(
        'The languages that readers can choose besides `document_locale`, also before a text is translated; empty for those with published translations. The service has labels in English, German, French, Spanish, Portuguese, Japanese and Arabic; in other languages its labels are English',
      ),
    multilingual_enabled: flag(false).describe(
      'Whether the page has more than one language; stored translations stay while this is off',
    ),
    multilingual_public_ready: flag(false).describe(
      'Whether readers get the languages of the page and published translations; requires `multilingual_enabled`',
    ),
    datetime_locale: dateLocaleOrNone().describe(
      'The locale of dates and times on the page; empty for the language of the reader. English without a region means en-GB',
    ),
  },
  later: {},
}
