import type { ProblemCode } from '../domain/kernel/errors.ts'
import { document } from './html.ts'
import { html } from './markup.ts'

interface Problem {
  code: ProblemCode
  /** The sentence that a client of the API would read. */
  error: string
  requestId: string
  /** Whether a credential was sent: then it is to blame, not the page. */
  known: boolean
}

interface Notice {
  title: string
  text: string
}

const notices: Partial<Record<ProblemCode, Notice>> = {
  unauthenticated: { title: 'This page is private', text: 'It can be read only with an access token of the page.' },
  not_found: { title: 'There is no page here', text: 'Check the address, or ask whoever gave it to you.' },
  rate_limited: { title: 'Too many requests', text: 'Wait a moment, then load this page again.' },
  unavailable: {
    title: 'This page cannot be shown right now',
    text: 'It will be back shortly. Load it again in a moment.',
  },
}

const fallback: Notice = {
  title: 'Something went wrong',
  text: 'The fault is on our side. Load this page again in a moment.',
}

/** Where the visitor may want to write to us, and should name the request. */
const ours = new Set<ProblemCode>(['unavailable', 'internal'])

function noticeOf({ code, error, known }: Problem): Notice {
  if (code === 'unauthenticated' && known) return { title: 'The access token was refused', text: error }
  return notices[code] ?? fallback
}

/** A problem as a page for people. */
export function renderNotice(problem: Problem, style: string): string {
  const { title, text } = noticeOf(problem)
  const body = html`<main class="card notice">
    <h1>${title}</h1>
    <p>${text}</p>
    ${ours.has(problem.code) && html`<p class="soft"><small>Request ${problem.requestId}</small></p>`}
  </main>`
  return document({ title, style, body })
}
