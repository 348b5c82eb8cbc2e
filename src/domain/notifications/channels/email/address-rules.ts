import type { LabelKey } from '../../../../languages/texts.ts'
import type { Content } from '../../../../persistence/entities/notification-event.ts'
import { negotiate } from '../../../translations/rules.ts'
import type { Message } from '../channel.ts'
import { linkOf } from './words-rules.ts'

/** The addresses of the status page to which a mail leads, in the language of the recipient. */

export interface Target {
  url: string
  label: LabelKey
}

const records: Record<string, { path: string; label: LabelKey }> = {
  incident: { path: 'incidents', label: 'mail.button.incident' },
  maintenance: { path: 'maintenances', label: 'mail.button.maintenance' },
}

/** The page of the incident or maintenance; undefined for other subjects, and for who reads of a view alone. */
export function recordTarget({ event, content }: Message['notifications'][number], locale: string): Target | undefined {
  const found = content.view_code === undefined ? records[event.subject_kind] : undefined
  const url = found && addressBelow(content, locale, `/${found.path}/${event.subject_id}`)
  return url ? { url, label: found.label } : undefined
}

/** The front of the page, or of the view. */
export function frontAddress(content: Content | undefined, locale: string): string | undefined {
  const path = content?.view_code === undefined ? '' : `/v/${encodeURIComponent(content.view_code)}`
  return content && addressBelow(content, locale, path)
}

function addressBelow({ page, languages }: Content, locale: string, path: string): string | undefined {
  const front = linkOf(page.url)
  if (front === undefined) return undefined
  const url = new URL(path === '' ? front : front.replace(/\/$/, '') + path)
  const language = languages && languages.offered.length > 1 ? negotiate(languages, { asked: locale }) : undefined
  if (language !== undefined && language !== languages?.original) url.searchParams.set('locale', language)
  return url.href
}
