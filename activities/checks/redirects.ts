import type { Attempt } from '../../src/outbound/connections/attempt.ts'
import { Failure } from '../../src/outbound/connections/failure.ts'
import { isSecretName } from '../../src/outbound/secret-rules.ts'
import { type Answer, exchange, type Question } from './exchange.ts'

const MOST = 5
const redirecting = new Set([301, 302, 303, 307, 308])

/** Each redirect opens a new connection, so each host passes the guard. */
export async function exchangeFollowing(first: Question, attempt: Attempt): Promise<Answer> {
  let question: Question = { ...first, first_host: first.url.hostname }
  for (let hop = 0; ; hop++) {
    const answer = await exchange(question, attempt)
    const next = redirecting.has(answer.status) ? answer.headers.location : undefined
    if (next === undefined) return answer
    if (hop === MOST) {
      const { status: status_code, certificate_days } = answer
      throw new Failure(`${first.url.host} redirects more than ${MOST} times`, { status_code, certificate_days })
    }
    question = followed(question, answer, next)
    attempt.redirected = true
  }
}

function followed(question: Question, { status, url }: Answer, location: string): Question {
  const next = URL.parse(location, url.href)
  if (!next || !/^https?:$/.test(next.protocol)) {
    throw new Failure(`${url.host} redirects to a location that is not an http or https URL`, { status_code: status })
  }
  next.username = ''
  next.password = ''
  const headers = next.origin === url.origin ? question.headers : fitForOthers(question.headers)
  const trust = next.origin === url.origin ? question.trust : { ca: question.trust.ca }
  const { method } = question
  const becomesGet = status === 303 ? method !== 'HEAD' : method === 'POST' && status < 303
  if (!becomesGet) return { ...question, url: next, headers, trust }
  return { ...question, url: next, trust, method: 'GET', headers: without(headers, /^content-/i), body: undefined }
}

/** Removes the headers that belong to the first host: secrets and `Host`. */
function fitForOthers(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(without(headers, /^host$/i)).filter(([name]) => !isSecretName(name)))
}

function without(headers: Record<string, string>, names: RegExp): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.test(name)))
}
