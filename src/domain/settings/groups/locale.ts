import { z } from 'zod'
import { flag, locale, localeOrNone } from '../fields.ts'

const MAX_LOCALES = 50

export const locales = {
  working: {
    document_locale: locale()
      .default('en')
      .describe('The language that records are written in; one of `supported_locales` where those are set'),
    supported_locales: z
      .array(locale())
      .max(MAX_LOCALES)
      .refine((tags) => new Set(tags).size === tags.length, 'must not name a language twice')
      .default([])
      .describe('The languages that the page may be read in'),
    multilingual_enabled: flag(false).describe(
      'Whether the page has more than one language; translations are kept while it has not',
    ),
    multilingual_public_ready: flag(false).describe(
      'Whether readers are given translations; of no effect unless `multilingual_enabled`',
    ),
    datetime_locale: localeOrNone().describe(
      'Whose way of writing dates and times the page follows; empty for that of the language that it is read in. English without a region is written as in en-GB',
    ),
  },
  later: {},
}
