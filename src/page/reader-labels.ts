import type { Context } from 'koa'
import { type Languages, negotiate } from '../domain/translations/rules.ts'
import { type Labels, labelsFor, languages } from '../languages/labels.ts'

/** The language of the service, for pages that do not know the languages of the status page. */
const ofService: Languages = { original: 'en', offered: [] }

/**
 * The language that the reader reads best, among those of the labels and those of the status page. `chosen` is a language
 * that a form names; the query and the header of the request come after.
 */
export function languageOfReader(ctx: Context, { original, offered } = ofService, chosen?: string | null): string {
  const { locale } = ctx.query
  const asked = chosen || (typeof locale === 'string' ? locale : undefined)
  const known = [...new Set([original, ...offered, ...Object.keys(languages)])]
  const wishes = { ...(asked === undefined ? {} : { asked }), header: ctx.get('Accept-Language') }
  return negotiate({ original, offered: known }, wishes)
}

export const labelsOfReader = (ctx: Context, chosen?: string | null): Labels =>
  labelsFor(languageOfReader(ctx, ofService, chosen))
