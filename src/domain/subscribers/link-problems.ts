import { en } from '../../languages/en/index.ts'
import { Problem, type ProblemCode } from '../kernel/errors.ts'

/** Why a link in a mail does not work. The sentences are labels, so that pages for people can show them in other languages. */

const codes = {
  incomplete: 'link_invalid',
  expired: 'link_expired',
  page_deleted: 'link_expired',
  subscription_deleted: 'link_expired',
  newer_mail: 'link_expired',
  unsubscribed: 'link_expired',
  switched_off: 'conflict',
} as const satisfies Record<string, ProblemCode>

type Reason = keyof typeof codes

export const linkProblem = (reason: Reason, details: Problem['details'] = {}): Problem =>
  new Problem(codes[reason], en[`notice.link.${reason}`], details)

const reasons = Object.keys(codes) as Reason[]

/** The label of the sentence of a problem; undefined for the sentence of another problem. */
export const labelOfLinkProblem = (sentence: string) =>
  reasons.map((reason) => `notice.link.${reason}` as const).find((key) => en[key] === sentence)
