import type { ProblemCode } from '../domain/kernel/errors.ts'
import { document } from './html.ts'
import { html } from './markup.ts'

interface Problem {
  code: ProblemCode
  requestId: string
  /** The page of the host, for a way back. */
  home?: { name: string; href: string }
}

interface Notice {
  title: string
  text: string
}

const notices: Partial<Record<ProblemCode, Notice>> = {
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

/** A problem as a page for people. */
export function renderNotice(problem: Problem, style: string): string {
  const { title, text } = notices[problem.code] ?? fallback
  const { home } = problem
  const body = html`<main class="card notice">
    <h1>${title}</h1>
    <p>${text}</p>
    ${home && html`<p><a href="${home.href}">${home.name}</a></p>`}
    ${ours.has(problem.code) && html`<p class="soft"><small>Request ${problem.requestId}</small></p>`}
  </main>`
  return document({ title, style, body })
}
