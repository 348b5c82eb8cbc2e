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
      .describe('The languages of the page'),
    multilingual_enabled: flag(false).describe(
      'Whether the page has more than one language; stored translations stay while this is off',
    ),
    multilingual_public_ready: flag(false).describe(
      'Whether readers get translations; requires `multilingual_enabled`',
    ),
    datetime_locale: dateLocaleOrNone().describe(
      'The locale of dates and times on the page; empty for the language of the reader. English without a region means en-GB',
    ),
  },
  later: {},
}
