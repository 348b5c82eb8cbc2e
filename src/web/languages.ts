import type { Context } from 'koa'
import { z } from 'zod'
import type { PageRef } from '../domain/kernel/context.ts'
import { execute } from '../domain/kernel/execute.ts'
import type { AnyOperation } from '../domain/kernel/operation.ts'
import { parseInput } from '../domain/kernel/parse.ts'
import type { Services } from '../domain/kernel/services.ts'
import { canonicalLocale } from '../domain/settings/rules.ts'
import { getLanguages } from '../domain/translations/languages.ts'
import { type Languages, negotiate } from '../domain/translations/rules.ts'
import { readIn } from '../domain/translations/schema.ts'
import type { PublicReads } from './public-reads.ts'
import type { ApiState } from './state.ts'

type RequestContext = Context & { state: ApiState }

const localized = z.object(readIn)

/** Whether the operation answers in the language of the reader: it takes a `locale`. */
export const isLocalized = (operation: AnyOperation) => 'locale' in operation.input.shape

/** The `locale` of the query; an invalid language tag is refused. */
export const askedLanguage = (ctx: Context) => parseInput(localized, { locale: ctx.query.locale }).locale

/** The `locale` of the query; an invalid tag is ignored, because people follow links of others. */
export const localeIn = ({ query }: Context): string | undefined =>
  typeof query.locale === 'string' ? canonicalLocale(query.locale) : undefined

export interface Settled {
  /** An offered language; absent while the page offers no translations. */
  locale?: string
  headers: Record<string, string>
  /** When the reader began to wait, because the snapshot is read afterwards. */
  since: number
}

/**
 * Negotiates the language of the answer. The snapshot is looked up afterwards, because there is one snapshot per offered
 * language, and none per requested language.
 */
export async function settleLanguage(
  { services, reads }: { services: Services; reads: PublicReads },
  ctx: RequestContext,
  page: PageRef,
  asked: string | undefined,
): Promise<Settled> {
  const since = performance.now()
  const { requestId, caller } = ctx.state
  const { body } = await reads.read(page.id, 'languages', async () => {
    const { output } = await execute(services, getLanguages, { page, actor: caller!.actor, requestId, input: {} })
    return { body: JSON.stringify(output) }
  })
  const languages = JSON.parse(body.plain.toString()) as Languages
  const language = negotiate(languages, { asked, header: ctx.get('Accept-Language') })
  const headers = { 'Content-Language': language, Vary: 'Accept-Language' }
  const isOffered = languages.offered.length > 0
  if (isOffered && language !== languages.original) ctx.state.originalLanguage = languages.original
  return { locale: isOffered ? language : undefined, headers, since }
}
