import type { Message, Outcome, Sender, SenderServices } from '../channel.ts'
import { isSendable } from './header-rules.ts'
import { answerOf, type MailProblem, outcomeOf } from './outcome-rules.ts'
import { type Written, writeMail } from './render-rules.ts'
import { serverOf, withheldReason } from './server-rules.ts'
import { openTransports, type SenderOptions, type Transport } from './transports.ts'

export function openSender(services: SenderServices, options: SenderOptions = {}): Sender {
  const transports = openTransports(services, options)

  async function transportOf(message: Message): Promise<Transport | undefined> {
    try {
      return await transports.of(message.page_id, serverOf(message.settings, options.tls_port))
    } catch (err) {
      services.logger.error({ err, page_id: message.page_id }, 'the password of the mail server could not be read')
      return undefined
    }
  }

  return {
    async send(message): Promise<Outcome> {
      const { settings, recipient } = message
      const reason = withheldReason(settings)
      if (reason) return { result: 'withheld', reason, answer: '' }
      if (!isSendable(recipient.shown_address)) return { result: 'refused', answer: 'The address is not valid' }
      const transport = await transportOf(message)
      if (!transport) return { result: 'later', answer: 'The password of the mail server could not be read' }
      const where = `${settings.email_smtp_host}:${settings.email_smtp_port}`
      const seconds = transports.timeout_ms / 1000
      const signal = AbortSignal.timeout(transports.timeout_ms)
      try {
        const { response } = await transport.pool.sendMail({ ...mailOf(writeMail(message)), signal } as never)
        return { result: 'sent', answer: answerOf(response), smtp_code: Number(/^\d{3}/.exec(response)?.[0] ?? 250) }
      } catch (problem) {
        if (signal.aborted) return { result: 'later', answer: `${where} took longer than ${seconds} s` }
        return outcomeOf(problem as MailProblem, where, transport.password)
      }
    },
    async close() {
      transports.close()
    },
  }
}

function mailOf({ envelope, subject, text, html }: Written) {
  const { from, to, reply_to, message_id, thread, headers } = envelope
  return {
    ...{ from, to, subject, text, html, headers, messageId: message_id },
    ...(reply_to ? { replyTo: { name: '', address: reply_to } } : {}),
    ...(thread ? { inReplyTo: thread, references: thread } : {}),
  }
}
