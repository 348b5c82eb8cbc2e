import type { LabelKey } from '../../../../languages/texts.ts'
import { wordsOfMarkdown } from '../../../texts/markdown-rules.ts'
import type { Message } from '../channel.ts'
import { recordTarget, type Target } from './address-rules.ts'
import type { Block, Tone } from './mail.ts'
import type { Reader } from './reader-rules.ts'
import { lineOf, proseOf } from './words-rules.ts'

/** What a mail says about one notification. */

export type Notification = Message['notifications'][number]
type Fields = Record<string, unknown>

export interface Part {
  subject: string
  /** The page of the record. */
  target: Target | undefined
  /** The first sentence. */
  preview: string
  blocks: Block[]
}

/** How much of the texts of users a mail has, so that no mail is too large. */
export interface Bounds {
  prose: number
  line: number
  items: number
  parts: number
  /** Texts of users without their format, whose HTML can be many times longer than the text. */
  plain?: boolean
}

interface About {
  key: string
  data: Fields
  record: Fields
  update: Fields
  reader: Reader
  bounds: Bounds
}

export function partOf(notification: Notification, reader: Reader, bounds: Bounds): Part {
  const { event, content } = notification
  const record = reader.translated(content.record, content.translations.record)
  const update = content.update ? reader.entry(content.update, content.translations.update) : {}
  const about: About = { key: event.key, data: event.data, record, update, reader, bounds }
  const title = lineOf(record.title ?? record.name, bounds.line)
  const status = statusOf(about)
  const subject = subjectOf(about, { title, status, page: lineOf(content.page.name) })
  const prose = proseOf(messageOf(about), bounds.prose)
  const target = recordTarget(notification, reader.locale)
  const words = wordsOfMarkdown(prose)
  const blocks: (Block | undefined)[] = [
    { kind: 'heading', text: subject, url: target?.url },
    status === '' ? undefined : { kind: 'status', text: status, tone: toneOf(event.key, about) },
    prose === '' ? undefined : bounds.plain ? { kind: 'prose', text: words } : { kind: 'markdown', text: prose },
    factsOf(about),
    datesOf(about),
    itemsOf(notification, about),
    lateness(notification, reader),
  ]
  return {
    subject,
    target,
    preview: lineOf(words, 140) || status,
    blocks: blocks.filter((block) => block !== undefined),
  }
}

function subjectOf({ key, data, reader: { labels } }: About, values: Record<string, string>): string {
  const name = key === 'maintenance.reminder' && data.reminder === 'before_end' ? 'maintenance.reminder_end' : key
  const label = `mail.subject.${name}` as LabelKey
  const known = labels.has(label) ? label : 'mail.subject.other'
  return labels.text(known, values)
}

function statusOf({ key, data, record, update, reader }: About): string {
  if (key === 'beat.stage_changed') return reader.status(data.to_stage ?? 'unknown')
  if (key === 'beat.review_requested') return reader.status(data.stage)
  if (key === 'item.status_changed') return reader.status(data.status ?? record.status)
  if (key.startsWith('series.')) return ''
  const stage = (update.lifecycle_stage ?? record.lifecycle_stage) as { id: number; name: string } | undefined
  const status = reader.status(update.status ?? record.status)
  const kind = key.startsWith('maintenance.') ? 'maintenance' : 'incident'
  const name = stage ? lineOf(reader.stage(kind, stage), 60) : ''
  return name === '' || name === status ? status : `${status} · ${name}`
}

function toneOf(key: string, { data, record, update }: About): Tone {
  if (key === 'incident.resolved' || key === 'maintenance.completed') return 'good'
  if (key.startsWith('maintenance.')) return key === 'maintenance.overrun' ? 'bad' : 'planned'
  const status = data.to_stage ?? data.stage ?? data.status ?? update.status ?? record.status
  if (status === 'operational' || status === 'healthy' || status === 'resolved') return 'good'
  return status === 'maintenance' || status === null ? 'planned' : 'bad'
}

function messageOf({ key, data, record, update, reader }: About): unknown {
  if (key === 'series.rescheduled' && data.status === 'ended') return reader.labels.text('mail.text.series_ended')
  if (key === 'item.status_changed') return undefined
  return update.message || record.description
}

function factsOf({ key, data, record, reader, bounds }: About): Block | undefined {
  const { text } = reader.labels
  const rows: [LabelKey, string | undefined][] = []
  const moment = (label: LabelKey, value: unknown) => rows.push([label, reader.moment(value)])
  const line = (label: LabelKey, value: unknown) => rows.push([label, lineOf(value, bounds.line)])
  const count = (label: LabelKey, value: unknown) => rows.push([label, Number(value) > 0 ? String(value) : undefined])
  if (key.startsWith('incident.')) {
    moment('mail.fact.started', record.started_at)
    moment('mail.fact.resolved', record.resolved_at)
    if (key === 'incident.reminder' || key === 'incident.long_running') moment('mail.fact.last_update', lastOf(record))
    line('mail.fact.impact', record.impact)
  } else if (key.startsWith('maintenance.')) {
    moment('mail.fact.scheduled_start', record.scheduled_start_time)
    moment('mail.fact.scheduled_end', record.scheduled_end_time)
    line('mail.fact.impact', record.impact)
  } else if (key === 'series.rescheduled') {
    count('mail.fact.moved', data.moved)
    count('mail.fact.added', data.made)
    count('mail.fact.cancelled', data.cancelled)
  } else if (key === 'item.status_changed') {
    if (data.previous_status) line('mail.fact.previous_status', reader.status(data.previous_status))
    moment('mail.fact.time', data.event_time)
  } else if (key === 'beat.stage_changed') {
    if (data.from_stage) line('mail.fact.previous_stage', reader.status(data.from_stage))
    line('mail.fact.evidence', data.evidence)
  } else if (key === 'beat.review_requested') {
    line('mail.fact.draft', data.title)
    line('mail.fact.reason', data.reason)
  }
  const known = rows.flatMap(([label, value]): [string, string][] => (value ? [[text(label), value]] : []))
  return known.length > 0 ? { kind: 'facts', rows: known } : undefined
}

/** The next dates of a series with a new schedule. */
function datesOf({ key, data: { next_starts: starts, coming }, reader }: About): Block | undefined {
  if (key !== 'series.rescheduled' || !Array.isArray(starts)) return undefined
  const { text } = reader.labels
  const names = starts.flatMap((start) => reader.moment(start) ?? [])
  const left = Number(coming) - starts.length
  if (left > 0) names.push(text('mail.items.more', { count: left }))
  return names.length > 0 ? { kind: 'items', label: text('mail.dates'), names } : undefined
}

/** The newest entry of the timeline comes first. */
function lastOf({ updates, started_at }: Fields): unknown {
  const [last] = Array.isArray(updates) ? (updates as Fields[]) : []
  return last?.created_at ?? started_at
}

function itemsOf({ content }: Notification, { key, record, reader, bounds }: About): Block | undefined {
  if (!/^(incident|maintenance|series)\./.test(key)) return undefined
  const { text } = reader.labels
  const shown = content.items.slice(0, bounds.items)
  const left = content.items.length - shown.length
  const names = shown.map((item) => lineOf(reader.item(item), bounds.line))
  names.push(lineOf(record.affected_items_freetext, bounds.line))
  if (left > 0) names.push(text('mail.items.more', { count: left }))
  const known = names.filter(Boolean)
  return known.length > 0 ? { kind: 'items', label: text('mail.items'), names: known } : undefined
}

function lateness({ event }: Notification, { labels, moment }: Reader): Block | undefined {
  if (!event.late) return undefined
  const late = labels.text('mail.text.late', { time: moment(event.due_at) ?? '' })
  const missed = event.missed > 1 ? ` ${labels.text('mail.text.missed', { count: event.missed })}` : ''
  return { kind: 'note', text: late + missed }
}
