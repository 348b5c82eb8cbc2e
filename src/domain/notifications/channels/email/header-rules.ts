import { createHash } from 'node:crypto'
import { isEmailAddress } from '../../../kernel/email-rules.ts'
import type { Message } from '../channel.ts'
import { ownKind } from './compose-rules.ts'
import { headerTextOf, lineOf, linkOf } from './words-rules.ts'

export interface Envelope {
  from: { name: string; address: string }
  to: { name: string; address: string }
  reply_to: string | undefined
  message_id: string
  /** The beginning of the thread, which all mails about a record name and which is no mail itself. */
  thread: string | undefined
  headers: Record<string, string>
}

export function envelopeOf(message: Message, title: string): Envelope {
  const { settings, recipient, notifications } = message
  const host = hostOf(notifications[0]?.content.page.url)
  const thread = threadOf(message)
  return {
    from: { name: headerTextOf(lineOf(settings.email_from_name, 100) || title), address: settings.email_from_address },
    to: { name: '', address: recipient.shown_address },
    reply_to: settings.email_reply_to_address || undefined,
    message_id: `<${idOf(message.id)}@${host}>`,
    thread: thread && `<${thread}@${host}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Upbeat-Notification': notifications
        .map(({ event }) => `${event.key} ${event.id}`)
        .slice(0, 20)
        .join(', '),
      ...unsubscribing(message),
    },
  }
}

/** As admins read the headers. */
export function shownHeaders({ from, to, reply_to, message_id, thread, headers }: Envelope): Record<string, string> {
  return {
    From: shownSender(from),
    To: to.address,
    ...(reply_to ? { 'Reply-To': reply_to } : {}),
    'Message-ID': message_id,
    ...(thread ? { 'In-Reply-To': thread, References: thread } : {}),
    ...headers,
  }
}

function shownSender({ name, address }: Envelope['from']): string {
  const quoted = name && `"${name.replace(/["\\]/g, '')}"`
  // A mail without a sender is not sent: only admins read it.
  const shown =
    address === '' ? '(no address: the setting email_from_address is empty)' : name ? `<${address}>` : address
  return [quoted, shown].filter(Boolean).join(' ')
}

/** RFC 8058. A mail that a person asked for, such as a confirmation, is no subscription. */
function unsubscribing(message: Message): Record<string, string> {
  const url = linkOf(message.recipient.links.unsubscribe)
  const kind = ownKind(message)
  if (!url || kind === 'confirm' || kind === 'manage') return {}
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

function threadOf(message: Message): string | undefined {
  const [only, second] = message.notifications
  if (!only || second || ownKind(message)) return undefined
  const { subject_kind, subject_id } = only.event
  return idOf(`page-${message.page_id}-${subject_kind}-${subject_id}`)
}

const ID = /^[\w.-]{1,100}$/

/** Another id is replaced by its hash, which is as stable. */
const idOf = (id: string): string => (ID.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 40))

function hostOf(url: unknown): string {
  const link = linkOf(url)
  const host = link ? new URL(link).hostname : ''
  return /^[\w.-]+$/.test(host) ? host : 'upbeat.invalid'
}

/** Whether mails can be sent to the address: other addresses could change the headers. */
export const isSendable = (address: string): boolean => address.length <= 254 && isEmailAddress(address)
