import type { Context } from 'koa'
import type { PageRef } from '../../domain/kernel/context.ts'
import type { Problem } from '../../domain/kernel/errors.ts'
import type { AnyOperation } from '../../domain/kernel/operation.ts'
import { type Labels, labelsFor } from '../../languages/labels.ts'
import { type Branded, type BrandingDeps, brandedAs, brandingOf } from '../branding.ts'
import type { Markup } from '../markup.ts'
import { languageOfReader } from '../reader-labels.ts'
import { languageLinks } from '../site/footer.ts'
import { formStyle } from './form-style.ts'

/** In what language and with which branding a page is shown. */
export interface Reader {
  language: string
  labels: Labels
  branded: Branded
}

/** How browsers use a route of the API. */
export interface ForPeople {
  /** Turns the fields of a form into a body. `ignored`: every body is accepted and means nothing. */
  form?: 'ignored' | ((fields: URLSearchParams) => Record<string, unknown>)
  /** The answer as a document. */
  render(output: never, reader: Reader): string
  /** The answer to a form with a mistake: what the operation reads, with the entries of the form. */
  again?: {
    operation: AnyOperation
    render(output: never, reader: Reader, sent: { fields: URLSearchParams; problem: Problem }): string
  }
}

/** Whether the caller prefers a page to JSON. A client that accepts everything gets JSON. */
export function wantsPage(ctx: Context): boolean {
  ctx.vary('Accept')
  return ctx.accepts('json', 'html') === 'html'
}

const hidden = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' }

/**
 * The reader of a form of the page. `chosen` is a language that comes before the wishes of the browser. `languagesAt` links to the
 * form at a path in the languages of the status page.
 */
export async function readerOfForm(
  deps: BrandingDeps,
  ctx: Context,
  page: PageRef,
  chosen?: string | null,
): Promise<Reader & { original: string; languagesAt(path: string): Markup | undefined }> {
  const branding = await brandingOf(deps, page)
  const language = languageOfReader(ctx, branding.languages, chosen)
  const branded = brandedAs(branding, page, language, formStyle)
  const labels = labelsFor(language)
  const { original, offered } = branding.languages
  const languagesAt = (path: string) => {
    const [address, query] = path.split('?')
    const addressIn = (locale: string) => {
      const parameters = new URLSearchParams(query)
      parameters.set('locale', locale)
      return `${address}?${parameters}`
    }
    const links = { languages: offered, current: language, addressIn, text: labels.text }
    return offered.length > 1 ? languageLinks(links) : undefined
  }
  return { language, labels, branded, original, languagesAt }
}

/** Answers with a form, which no cache keeps and no search engine lists. */
export function sendForm(ctx: Context, { branded }: Reader, status: number, body: string): void {
  ctx.set({ ...branded.headers, ...hidden })
  ctx.vary('Accept-Language')
  ctx.status = status
  ctx.body = body
}

/** Answers with a page or with JSON. */
export async function answerToReader(
  deps: BrandingDeps,
  ctx: Context,
  page: PageRef,
  people: ForPeople,
  output: unknown,
): Promise<void> {
  if (wantsPage(ctx)) {
    const reader = await readerOf(deps, ctx, page, output)
    sendForm(ctx, reader, 200, people.render(output as never, reader))
    return
  }
  ctx.set({ 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer', ...hidden })
  ctx.vary('Accept-Language')
  ctx.status = 200
  ctx.body = output
}

/** Shows a form with a mistake again. */
export async function answerAgain(
  deps: BrandingDeps,
  ctx: Context,
  page: PageRef,
  again: NonNullable<ForPeople['again']>,
  output: unknown,
  sent: { fields: URLSearchParams; problem: Problem },
): Promise<void> {
  const reader = await readerOf(deps, ctx, page, output)
  sendForm(ctx, reader, 400, again.render(output as never, reader, sent))
}

/** In the language that the subscriber has chosen, else in the language of the browser. */
function readerOf(deps: BrandingDeps, ctx: Context, page: PageRef, output: unknown): Promise<Reader> {
  const { subscriber } = output as { subscriber?: { locale: string | null } }
  return readerOfForm(deps, ctx, page, subscriber?.locale)
}
