import { STATUS_CODES } from 'node:http'
import type { HttpTarget } from '../../src/domain/beats/types/http.ts'
import { brokenAssertion } from './assertions.ts'
import { check } from './check.ts'
import type { CheckAttempt } from './check-attempt.ts'
import type { CheckOutcome } from './contract.ts'
import { exchange } from './exchange.ts'
import { exchangeFollowing } from './redirects.ts'

/** Succeeds if the URL answers with an expected status and all assertions hold. */
export const http = check<HttpTarget>((target, attempt) => askHttp(target, attempt))

/** The common part of `http`, `api` and `latency`. */
export async function askHttp(target: HttpTarget, attempt: CheckAttempt, accept?: string): Promise<CheckOutcome> {
  const { url, method = 'GET', headers = {}, body, ip_family } = target
  const expected = [target.expected_status ?? '2xx'].flat()
  const ask = (target.follow_redirects ?? !expected.some(isRedirect)) ? exchangeFollowing : exchange
  const answer = await ask(
    { url: new URL(url), method, headers: withAccept(headers, accept), body, ip_family, trust: target },
    attempt,
  )
  const latency_ms = attempt.elapsed
  const { status, certificate_days, url: last } = answer
  const seen = `HTTP ${status} ${STATUS_CODES[status] ?? ''}`.trim().concat(` from ${last.host} after ${latency_ms} ms`)
  const wrong = expected.some((wanted) => matches(wanted, status))
    ? await brokenAssertion(target, answer, attempt)
    : `${seen}, expected ${expected.join(' or ')}`
  return { ok: wrong === null, latency_ms, status_code: status, evidence: wrong ?? seen, certificate_days }
}

function matches(wanted: number | string, status: number): boolean {
  return String(wanted).toLowerCase() === String(status) || isClass(wanted, Math.floor(status / 100))
}

const isClass = (wanted: number | string, hundreds: number) => String(wanted).toLowerCase() === `${hundreds}xx`
const isRedirect = (wanted: number | string) => String(wanted).startsWith('3')

function withAccept(headers: Record<string, string>, accept?: string): Record<string, string> {
  const isSet = Object.keys(headers).some((name) => name.toLowerCase() === 'accept')
  return accept && !isSet ? { Accept: accept, ...headers } : headers
}
