import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { publishedLocales } from '../../persistence/translations.ts'
import { invalid } from '../kernel/errors.ts'
import { operation } from '../kernel/operation.ts'
import { settingsOf } from '../settings/stored.ts'
import { fallbacksOf, type Languages, negotiate } from './rules.ts'

/** The languages of the page: the original and the supported ones; without supported ones, those with published translations. */
export async function languagesOf(tx: EntityManager): Promise<Languages> {
  const settings = await settingsOf(tx)
  const { document_locale: original, supported_locales: supported } = settings
  if (!settings.multilingual_enabled || !settings.multilingual_public_ready) return { original, offered: [] }
  const others = supported.length > 0 ? supported : await publishedLocales(tx)
  return { original, offered: [...new Set([original, ...others])] }
}

export interface Reading {
  /** The language of the answer. */
  language: string
  /** Whether translations are read. */
  translated: boolean
}

/** The original texts, for clients and for mails, which get the translations too. */
export const inOriginal: Reading = { language: '', translated: false }

/** The language of a public read; `asked` may be a language that the page does not offer. */
export async function readingIn(tx: EntityManager, asked: string | undefined): Promise<Reading> {
  const languages = await languagesOf(tx)
  return { language: negotiate(languages, { asked }), translated: languages.offered.length > 0 }
}

/** Refuses a language that neither is one of the known languages nor leads to one. */
export function requireKnown(locale: string, known: string[], what: string): void {
  if (fallbacksOf(locale).some((tag) => known.includes(tag))) return
  throw invalid([{ path: 'locale', message: `must be ${what}, which are ${known.join(', ')}` }])
}

export const getLanguages = operation({
  name: 'public.languages',
  area: 'settings',
  permission: 'public',
  summary: 'Get the languages of the page',
  input: z.strictObject({}),
  output: z.strictObject({ original: z.string(), offered: z.array(z.string()) }),
  run: ({ tx }) => languagesOf(tx),
})
