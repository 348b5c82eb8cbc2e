import { directionOf } from '../../../../languages/labels.ts'
import type { LabelKey } from '../../../../languages/texts.ts'
import type { Message } from '../channel.ts'
import { frontAddress } from './address-rules.ts'
import type { Block, Brand, Mail } from './mail.ts'
import { type Bounds, type Part, partOf } from './part-rules.ts'
import { type Reader, readerOf } from './reader-rules.ts'
import { isolated, lineOf, linkOf } from './words-rules.ts'

const NEUTRAL = '#3b4753'
const NEUTRAL_DARK = '#8fa3b5'

export function composeMail(message: Message, bounds: Bounds): Mail {
  const reader = readerOf(message.recipient, message.notifications[0]?.content)
  const brand = brandOf(message, reader)
  const values = { page: brand.title, address: lineOf(message.recipient.shown_address, 254) }
  const written = ownMail(message, reader, values) ?? partsOf(message, reader, bounds, values)
  const { language } = reader.labels
  const footer = footerOf(message, reader, values)
  return { language, direction: directionOf(language), brand, footer, ...written }
}

type Written = Pick<Mail, 'subject' | 'preview' | 'parts'>
type Values = Record<string, string>
type OwnKey = keyof typeof ownMails

/** The mails that one person asked for, by the event key. */
const ownMails = {
  'subscription.confirm': 'confirm',
  'subscription.manage': 'manage',
  'subscription.test': 'test',
  'view.access_code': 'code',
} as const

function ownMail(message: Message, { labels }: Reader, values: Values): Written | undefined {
  const kind = ownKind(message)
  if (!kind) return undefined
  const { links } = message.recipient
  const [first] = message.notifications
  const all = { ...values, code: links.code ?? '', view: lineOf(first?.content.record.name, 100) }
  const preview = labels.text(`mail.text.${kind}`, all)
  const subject = labels.text(`mail.subject.${first!.event.key as OwnKey}`, all)
  const url = linkOf(kind === 'confirm' ? links.confirm : kind === 'manage' ? links.manage : undefined)
  const button =
    kind === 'test' || kind === 'code' || !url
      ? []
      : [{ kind: 'button', label: labels.text(`mail.button.${kind}`), url }]
  const code = links.code === undefined ? [] : [{ kind: 'heading', text: links.code }]
  const text = labels.text(`mail.text.${kind}`, isolated(all))
  const blocks = [{ kind: 'heading', text: subject }, { kind: 'prose', text }, ...code, ...button] as Block[]
  return { subject, preview, parts: [blocks] }
}

export function ownKind({ notifications }: Message) {
  const key = notifications[0]?.event.key ?? ''
  return Object.hasOwn(ownMails, key) ? ownMails[key as OwnKey] : undefined
}

function partsOf({ notifications }: Message, reader: Reader, bounds: Bounds, values: Values): Written {
  const shown = notifications.slice(0, bounds.parts)
  const parts = shown.map((notification) => partOf(notification, reader, bounds))
  const [first] = parts
  const [only] = notifications.length === 1 ? parts : []
  const url = frontAddress(notifications[0]?.content, reader.locale)
  const { text } = reader.labels
  const left = notifications.length - shown.length
  const last: Block[] = left > 0 ? [{ kind: 'note', text: text('mail.text.more_events', { count: left }) }] : []
  const { target = url && ({ url, label: 'mail.button.page' } as const) } = only ?? {}
  if (target) last.push({ kind: 'button', label: text(target.label), url: target.url })
  return {
    subject: only?.subject ?? text('mail.subject.daily', values),
    preview: only?.preview ?? first?.subject ?? '',
    parts: only ? [[...only.blocks, ...last]] : [...parts.map((part) => withLink(part, reader)), last],
  }
}

/** In a mail about several records, each has its own link. */
const withLink = ({ blocks, target }: Part, { labels }: Reader): Block[] =>
  target ? [...blocks, { kind: 'link', label: labels.text(target.label), url: target.url }] : blocks

function brandOf({ notifications, settings }: Message, reader: Reader): Brand {
  const { page, translations } = notifications[0]?.content ?? {}
  const { site_title } = reader.translated({ site_title: settings.site_title }, translations?.names?.page ?? [])
  const color = settings.brand_color_light || NEUTRAL
  return {
    title: lineOf(site_title || page?.name, 100),
    url: frontAddress(notifications[0]?.content, reader.locale),
    logo: linkOf(settings.logo_url),
    logo_dark: linkOf(settings.logo_url_dark),
    color,
    color_dark: settings.brand_color_dark || (settings.brand_color_light ? color : NEUTRAL_DARK),
  }
}

function footerOf(message: Message, { labels, zone }: Reader, values: Values): Mail['footer'] {
  const { links, subscriber_id } = message.recipient
  const kind = ownKind(message)
  const reasons: Record<string, LabelKey> = {
    confirm: 'mail.footer.confirm',
    manage: 'mail.footer.requested',
    code: 'mail.footer.code',
  }
  const usual = subscriber_id === null ? 'mail.footer.named' : 'mail.footer.subscriber'
  const notes = [labels.text(reasons[kind ?? ''] ?? usual, isolated(values))]
  if (!kind) notes.push(labels.text('mail.footer.zone', { zone }))
  const shown = kind === 'confirm' || kind === 'manage' ? [] : (['manage', 'unsubscribe'] as const)
  const found = shown.flatMap((name) => {
    const url = linkOf(links[name])
    return url ? [{ label: labels.text(`mail.footer.${name}`), url }] : []
  })
  return { notes, links: found }
}
