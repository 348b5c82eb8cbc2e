import type { Middleware } from 'koa'
import { Problem, type ProblemCode } from '../domain/kernel/errors.ts'
import type { ApiState } from './state.ts'

export const statusOf: Record<ProblemCode, number> = {
  invalid_request: 400,
  unauthenticated: 401,
  ingest_token_invalid: 401,
  ingest_token_expired: 401,
  endpoint_disabled: 403,
  viewer_auth_required: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  version_conflict: 409,
  external_id_conflict: 409,
  idempotency_in_flight: 409,
  plan_needs_input: 409,
  plan_expired: 409,
  plan_cancelled: 409,
  plan_failed: 409,
  plan_conflicted: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  link_invalid: 400,
  link_expired: 410,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
}

const RETRY_AFTER_SECONDS = '2'
/** The details of a problem that an answer includes. Other details are only for the log. */
const shownDetails = ['errors', 'current_version', 'plan']

/** Turns errors into answers: `{error, code, request_id}`. */
export function answerErrors(): Middleware<ApiState> {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const problem =
        error instanceof Problem
          ? error
          : new Problem('internal', 'The service failed to carry out this request; the log has the details.')
      if (problem !== error) ctx.state.logger.error({ err: error }, 'an unexpected error')
      if (problem.code === 'unavailable') ctx.state.logger.warn({ cause: problem.details.cause }, problem.message)
      ctx.status = statusOf[problem.code]
      ctx.set('Cache-Control', 'no-store')
      if (problem.code === 'unavailable') ctx.set('Retry-After', RETRY_AFTER_SECONDS)
      if (ctx.status === 401) ctx.set('WWW-Authenticate', 'Bearer')
      ctx.body = answerOf(problem, ctx.state.requestId)
    }
  }
}

/** A problem as every interface answers it: `{error, code, request_id}`, and the details that clients may see. */
export function answerOf({ message, code, details }: Problem, requestId: string) {
  const shown = Object.fromEntries(Object.entries(details).filter(([name]) => shownDetails.includes(name)))
  return { error: message, code, request_id: requestId, ...shown }
}
