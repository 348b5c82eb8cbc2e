import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { publishedLocales } from '../../persistence/translations.ts'
import { operation } from '../kernel/operation.ts'
import { settingsOf } from '../settings/stored.ts'
import { type Languages, negotiate } from './rules.ts'

/** A language that nothing is published in would be a promise that the page does not keep. */
async function languagesOf(tx: EntityManager): Promise<Languages> {
  const settings = await settingsOf(tx)
  const { document_locale: original, supported_locales: supported } = settings
  if (!settings.multilingual_enabled || !settings.multilingual_public_ready) return { original, offered: [] }
  const published = (await publishedLocales(tx)).filter((one) => supported.length === 0 || supported.includes(one))
  return { original, offered: [...new Set([original, ...published])] }
}

export interface Reading {
  /** What the answer is said to be written in. */
  language: string
  /** Whether records are looked up in it at all. */
  translated: boolean
}

/** The language for whoever reads by an operation, at whatever door: `asked` is one that the page may not offer. */
export async function readingIn(tx: EntityManager, asked: string | undefined): Promise<Reading> {
  const languages = await languagesOf(tx)
  return { language: negotiate(languages, { asked }), translated: languages.offered.length > 0 }
}

export const getLanguages = operation({
  name: 'public.languages',
  area: 'settings',
  permission: 'public',
  summary: 'Get the languages that the page can be read in',
  input: z.strictObject({}),
  output: z.strictObject({ original: z.string(), offered: z.array(z.string()) }),
  run: ({ tx }) => languagesOf(tx),
})
