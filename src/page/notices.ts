import type { ProblemCode } from '../domain/kernel/errors.ts'
import { html } from './markup.ts'
import { smallDocument } from './small-document.ts'
import { newLink } from './subscriptions/labels.ts'

interface Problem {
  code: ProblemCode
  requestId: string
  /** The page of the host, for a link. */
  home?: { name: string; href: string }
  /** A sentence of the problem, for problems with a way on. */
  text?: string | undefined
  /** Where a new link can be asked for. */
  again?: string | undefined
}

interface Notice {
  title: string
  text: string
}

const notices: Partial<Record<ProblemCode, Notice>> = {
  not_found: { title: 'There is no page here', text: 'Check the address.' },
  rate_limited: { title: 'Too many requests', text: 'Wait a moment, then load this page again.' },
  unavailable: {
    title: 'This page cannot be shown right now',
    text: 'The service cannot read its data at the moment. Load this page again in a moment.',
  },
}

const ofLinks: Partial<Record<ProblemCode, string>> = {
  link_invalid: 'This link does not work',
  link_expired: 'This link has ended',
  invalid_request: 'This was not saved',
  conflict: 'This was not done',
}

const fallback: Notice = {
  title: 'Something went wrong',
  text: 'The service failed to show this page. Load this page again in a moment.',
}

/** Failures of the service: the page shows the request id for a report. */
const serviceFailures = new Set<ProblemCode>(['unavailable', 'internal'])

function noticeOf({ code, text }: Problem): Notice {
  const title = ofLinks[code]
  return title && text ? { title, text } : (notices[code] ?? fallback)
}

/** A problem as a page for people. */
export function renderNotice(problem: Problem, style: string): string {
  const { title, text } = noticeOf(problem)
  const { home } = problem
  const body = html`<main class="card notice">
    <h1>${title}</h1>
    <p>${text}</p>
    ${problem.again && ofLinks[problem.code] && html`<p><a href="${problem.again}">${newLink}</a></p>`}
    ${home && html`<p><a href="${home.href}">${home.name}</a></p>`}
    ${serviceFailures.has(problem.code) && html`<p class="soft"><small>Request ${problem.requestId}</small></p>`}
  </main>`
  return smallDocument({ title, style, body })
}
