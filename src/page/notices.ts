import type { ProblemCode } from '../domain/kernel/errors.ts'
import { labelOfLinkProblem } from '../domain/subscribers/link-problems.ts'
import type { Labels } from '../languages/labels.ts'
import type { Branded } from './branding.ts'
import { html } from './markup.ts'
import { smallDocument } from './small-document.ts'

interface Problem {
  code: ProblemCode
  requestId: string
  /** The page of the host, for a link. */
  home?: { href: string; branded: Branded } | undefined
  /** A sentence of the problem, for problems with a way on. */
  text?: string | undefined
  /** Where a new link can be asked for. */
  again?: string | undefined
}

const notices = ['not_found', 'rate_limited', 'unavailable'] as const

/** These have a sentence of their own. */
const ofLinks = ['link_invalid', 'link_expired', 'invalid_request', 'conflict'] as const

const oneOf = <C extends ProblemCode>(codes: readonly C[], code: ProblemCode): C | undefined =>
  codes.find((one) => one === code)

/** Failures of the service: the page shows the request id for a report. */
const serviceFailures = new Set<ProblemCode>(['unavailable', 'internal'])

/** A problem as a page for people. Without a label for its sentence, a sentence of the API is English. */
export function renderNotice(problem: Problem, style: string, { text, language }: Labels): string {
  const { home, code, again } = problem
  const ofLink = problem.text === undefined ? undefined : oneOf(ofLinks, code)
  const known = oneOf(notices, code) ?? 'internal'
  const title = text(ofLink ? `notice.${ofLink}` : `notice.${known}.title`)
  const label = labelOfLinkProblem(problem.text ?? '')
  const isEnglish = language !== 'en' && ofLink !== 'invalid_request' && label === undefined
  const english = isEnglish && html` lang="en" dir="ltr"`
  const body = html`<main class="card notice">
    <h1>${title}</h1>
    ${ofLink ? html`<p${english}>${label ? text(label) : problem.text}</p>` : html`<p>${text(`notice.${known}.text`)}</p>`}
    ${again && oneOf(ofLinks, code) && html`<p><a href="${again}">${text('notice.new_link')}</a></p>`}
    ${home && html`<p><a href="${home.href}">${home.branded.title}</a></p>`}
    ${serviceFailures.has(code) && html`<p class="soft"><small>${text('notice.request', { id: problem.requestId })}</small></p>`}
  </main>`
  const { style: own = style, theme, icon } = home?.branded ?? {}
  return smallDocument({ title, style: own, theme, icon: icon ?? '', body, language })
}
