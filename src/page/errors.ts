import type { Middleware } from 'koa'
import { Problem, type ProblemCode } from '../domain/kernel/errors.ts'
import type { Match } from '../domain/pages/directory.ts'
import { answerErrors } from '../web/errors.ts'
import type { ApiState } from '../web/state.ts'
import { headersOf } from './headers.ts'
import { renderNotice } from './notices.ts'
import { styleOf } from './style.ts'

interface Answer {
  code: ProblemCode
  request_id: string
}

type Find = (host: string) => Promise<Match | undefined>

/** Answers an error like the API, with the same status and headers, but with a page for people. */
export function answerErrorsToPeople(findPage: Find): Middleware<ApiState> {
  const answer = answerErrors()
  const style = styleOf([])
  const headers = { ...headersOf(style), 'Cache-Control': 'no-store' }
  return async (ctx, next) => {
    let failed = true
    await answer(ctx, async () => {
      await next()
      failed = false
    })
    if (!failed) return
    const { code, request_id: requestId } = ctx.body as Answer
    const home = code === 'not_found' && ctx.path !== '/' ? await homeOf(ctx.host, findPage) : undefined
    ctx.set(headers)
    ctx.body = renderNotice({ code, requestId, home }, style)
  }
}

/** The page of the host, if the page is public. */
async function homeOf(host: string, findPage: Find) {
  const match = await findPage(host).catch(() => undefined)
  return match?.page.visibility === 'public' ? { name: match.page.name, href: '/' } : undefined
}

/** Answers an unknown address: with a page for a browser, with the error of the API for every other client. */
export function answerNothingHere(findPage: Find): Middleware<ApiState> {
  const toPeople = answerErrorsToPeople(findPage)
  const nothing = () => Promise.reject(new Problem('not_found', 'This address does not exist.'))
  return (ctx) => {
    ctx.vary('Accept')
    return ctx.accepts('json', 'html') === 'html' ? toPeople(ctx, nothing) : nothing()
  }
}
