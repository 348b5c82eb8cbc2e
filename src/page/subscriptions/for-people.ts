import type { Context } from 'koa'
import { headersOf } from '../headers.ts'
import { plainStyle } from '../style.ts'
import { formStyle } from './form-style.ts'

/** How browsers use a route of the API. */
export interface ForPeople {
  /** Turns the fields of a form into a body. `ignored`: every body is accepted and means nothing. */
  form?: 'ignored' | ((fields: URLSearchParams) => Record<string, unknown>)
  /** The answer as a document. */
  render(output: never): string
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
  ctx.body = isPage ? people.render(output as never) : output
}

export { style as subscriptionStyle }
