import type { Context } from 'koa'
import { z } from 'zod'
import type { PageRef } from '../domain/kernel/context.ts'
import { execute } from '../domain/kernel/execute.ts'
import type { AnyOperation } from '../domain/kernel/operation.ts'
import { parseInput } from '../domain/kernel/parse.ts'
import type { Services } from '../domain/kernel/services.ts'
import { getLanguages } from '../domain/translations/languages.ts'
import { type Languages, negotiate } from '../domain/translations/rules.ts'
import { readIn } from '../domain/translations/schema.ts'
import type { PublicReads } from './public-reads.ts'
import type { ApiState } from './state.ts'

type RequestContext = Context & { state: ApiState }

const localized = z.object(readIn)

/** An operation that takes a `locale` answers in the language of its reader. */
export const isLocalized = (operation: AnyOperation) => 'locale' in operation.input.shape

/** What a request asks for by name; what is no language tag is refused. */
export const askedLanguage = (ctx: Context) => parseInput(localized, { locale: ctx.query.locale }).locale

export interface Settled {
  /** One of those that the page offers; none while it offers no translations. */
  locale?: string
  headers: Record<string, string>
  /** When the reader began to wait: the snapshot is the second thing that they wait for. */
  since: number
}

/**
 * The language that a reader is answered in. It is settled before the snapshot is looked for, because there is one for
 * each language, and never one for what readers may ask for.
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
  const languages = JSON.parse(body) as Languages
  const language = negotiate(languages, { asked, header: ctx.get('Accept-Language') })
  const headers = { 'Content-Language': language, Vary: 'Accept-Language' }
  return { locale: languages.offered.length > 0 ? language : undefined, headers, since }
}
