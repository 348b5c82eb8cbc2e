import { counted } from '../../kernel/text-rules.ts'
import type { Found, RecordKind, RecordSlot } from '../language/types.ts'

/** Texts of records are data: on one line, and without mentions of people or channels of a chat. */
export function plain(text: string, most = 300): string {
  const characters = [...text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()]
  const cut = characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('')
  return cut.replace(/@/g, '@\u200b').replace(/<(?=[!#@])/g, '<\u200b')
}

/** Plain text as markdown: nothing in the text formats the message. */
export const escaped = (text: string): string => text.replace(/[\\`*_~[\]<>|#]/g, '\\$&')

export const words: Record<RecordKind, string> = {
  item: 'item',
  incident: 'incident',
  maintenance: 'maintenance',
  series: 'series',
  beat: 'beat',
  beat_group: 'beat group',
  action: 'review',
  endpoint: 'endpoint',
}

/** A record by its name with the id behind the name. */
export const named = (name: string, id: number): string => `“${plain(name, 120)}” (${id})`

export const slotOf = (kind: RecordKind, { id, name }: { id: number; name: string }): RecordSlot => ({ kind, id, name })

export const isRecord = (found: Found | undefined): found is RecordSlot => found !== undefined && 'id' in found

/** A moment in the zone of the page: `Wed 10 Mar 2027, 15:30 CET`. */
export function when(moment: string | Date | null | undefined, zone: string): string {
  if (!moment) return 'at no set time'
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).formatToParts(new Date(moment))
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return `${part('weekday')} ${part('day')} ${part('month')} ${part('year')}, ${part('hour')}:${part('minute')} ${part('timeZoneName')}`
}

/** ` since …`, ` since … until …`, ` until …`, or nothing without a span. */
export function spanWords(from: string | undefined, to: string | undefined, zone: string, word = 'since'): string {
  const parts = [...(from ? [`${word} ${when(from, zone)}`] : []), ...(to ? [`until ${when(to, zone)}`] : [])]
  return parts.map((part) => ` ${part}`).join('')
}

const STEPS = [
  { unit: 'day', minutes: 24 * 60 },
  { unit: 'hour', minutes: 60 },
  { unit: 'minute', minutes: 1 },
] as const

/** `2 hours 30 minutes`, from minutes. */
export function lasting(minutes: number): string {
  const parts: string[] = []
  let left = Math.round(minutes)
  for (const { unit, minutes: of } of STEPS) {
    const count = Math.floor(left / of)
    left -= count * of
    if (count > 0) parts.push(counted(count, unit))
  }
  return parts.length > 0 ? parts.join(' ') : '0 minutes'
}

export const bullets = (lines: string[]): string => lines.map((line) => `• ${line}`).join('\n')

export const minutesBetween = (from: string | Date, to: string | Date): number =>
  (new Date(to).getTime() - new Date(from).getTime()) / 60_000

/** Status keys as words: `major_outage` is "major outage". */
export const inWords = (key: string): string => key.replaceAll('_', ' ')
