import type { Context } from 'koa'
import { negotiate } from '../domain/translations/rules.ts'
import { type Labels, labelsFor, languages } from '../languages/labels.ts'

/** The labels in the language that the reader reads best, for pages that do not know or do not show the languages of the status page. */
export function labelsOfReader(ctx: Context): Labels {
  const { locale } = ctx.query
  const asked = typeof locale === 'string' ? { asked: locale } : {}
  const offered = Object.keys(languages)
  return labelsFor(negotiate({ original: 'en', offered }, { ...asked, header: ctx.get('Accept-Language') }))
}
