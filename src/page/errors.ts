import type { Middleware } from 'koa'
import { answerErrors } from '../api/middleware/errors.ts'
import type { ApiState } from '../api/state.ts'
import type { ProblemCode } from '../domain/kernel/errors.ts'
import { headersOf } from './headers.ts'
import { renderNotice } from './notices.ts'
import { styleOf } from './style.ts'

interface Answer {
  error: string
  code: ProblemCode
  request_id: string
}

/** The API's answer to an error, status and headers and all, but written for people. */
export function answerErrorsToPeople(): Middleware<ApiState> {
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
    const { error, code, request_id: requestId } = ctx.body as Answer
    const known = ctx.get('Authorization') !== ''
    ctx.set(headers)
    ctx.body = renderNotice({ error, code, requestId, known }, style)
  }
}
