import type { Context } from 'koa'
import type { Problem } from '../../domain/kernel/errors.ts'
import type { AnyOperation } from '../../domain/kernel/operation.ts'
import { type Labels, labelsFor } from '../../languages/labels.ts'
import { headersOf } from '../headers.ts'
import { labelsOfReader } from '../reader-labels.ts'
import { plainStyle } from '../style.ts'
import { formStyle } from './form-style.ts'

/** How browsers use a route of the API. */
export interface ForPeople {
  /** Turns the fields of a form into a body. `ignored`: every body is accepted and means nothing. */
  form?: 'ignored' | ((fields: URLSearchParams) => Record<string, unknown>)
  /** The answer as a document. */
  render(output: never, labels: Labels): string
  /** The answer to a form with a mistake: what the operation reads, with the entries of the form. */
  again?: {
    operation: AnyOperation
    render(output: never, labels: Labels, sent: { fields: URLSearchParams; problem: Problem }): string
  }
}

const style = plainStyle() + formStyle

/** Whether the caller prefers a page to JSON. A client that accepts everything gets JSON. */
export function wantsPage(ctx: Context): boolean {
  ctx.vary('Accept')
  return ctx.accepts('json', 'html') === 'html'
}

export const pageHeaders = {
  ...headersOf({ style, forms: true }),
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
}

/** Answers with a page or with JSON, which no cache keeps and no search engine lists. */
export function answerToReader(ctx: Context, people: ForPeople, output: unknown): void {
  const isPage = wantsPage(ctx)
  const { 'Content-Type': _type, 'Content-Security-Policy': _policy, ...common } = pageHeaders
  ctx.set(isPage ? pageHeaders : common)
  ctx.status = 200
  ctx.body = isPage ? people.render(output as never, labelsOf(ctx, output)) : output
}

/** Shows a form with a mistake again. */
export function answerAgain(
  ctx: Context,
  again: NonNullable<ForPeople['again']>,
  output: unknown,
  sent: { fields: URLSearchParams; problem: Problem },
): void {
  ctx.set(pageHeaders)
  ctx.status = 400
  ctx.body = again.render(output as never, labelsOf(ctx, output), sent)
}

/** In the language that the subscriber has chosen, else in the language of the browser. */
function labelsOf(ctx: Context, output: unknown): Labels {
  const { subscriber } = output as { subscriber?: { locale: string | null } }
  ctx.vary('Accept-Language')
  return subscriber?.locale ? labelsFor(subscriber.locale) : labelsOfReader(ctx)
}

export { style as subscriptionStyle }
