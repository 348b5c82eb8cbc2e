import { lineOf } from './words-rules.ts'

/** The errors of the mail library. */
export interface MailProblem {
  message: string
  code?: string
  /** The reply of the server. */
  response?: string
  responseCode?: number
  /** What the server answered to, such as `RCPT TO`. */
  command?: string
}

export type MailOutcome = { answer: string; smtp_code?: number } & (
  | { result: 'later' }
  | { result: 'refused'; subscriber?: 'bounced' }
)

const LONGEST_ANSWER = 300

/** What a problem means for the mail. `where` names the server, and `password` is left out of the answer. */
export function outcomeOf(problem: MailProblem, where: string, password = ''): MailOutcome {
  const reply = answerOf(problem.response ?? '', password)
  const smtp_code = problem.responseCode ?? (Number(/^\d{3}/.exec(reply)?.[0]) || undefined)
  const seen = smtp_code === undefined ? {} : { smtp_code }
  const later = (answer: string) => ({ result: 'later' as const, answer: answerOf(answer, password), ...seen })
  if (problem.code === 'EAUTH') return later(`${where} refused the user name and password: ${reply || problem.message}`)
  if (problem.code === 'ETLS') return later(`${where} could not be reached over TLS: ${reply || problem.message}`)
  if (smtp_code === undefined) return later(`${where}: ${problem.message}`)
  if (smtp_code < 500 || isAboutSender(problem.command, smtp_code)) return later(reply)
  const bounced = problem.command === 'RCPT TO' && isUnknownMailbox(smtp_code, reply)
  return { result: 'refused', answer: reply, ...seen, ...(bounced ? { subscriber: 'bounced' } : {}) }
}

/** A refusal of the connection, or for want of authentication, has its cause in the settings and not in the address. */
const isAboutSender = (command: string | undefined, code: number): boolean =>
  code === 530 || code === 535 || !/^(MAIL FROM|RCPT TO|DATA)$/.test(command ?? '')

/** By the enhanced status (RFC 3463) if the reply has one, because servers refuse for their policy with 550, too. */
function isUnknownMailbox(code: number, reply: string): boolean {
  const [, status] = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(reply) ?? []
  if (status) return /^5\.1\.|^5\.2\.1$/.test(status)
  return [501, 550, 551, 553].includes(code)
}

/** One bounded line. */
export function answerOf(text: string, password = ''): string {
  const line = lineOf(text, LONGEST_ANSWER + password.length)
  return lineOf(password === '' ? line : line.replaceAll(password, '***'), LONGEST_ANSWER)
}
