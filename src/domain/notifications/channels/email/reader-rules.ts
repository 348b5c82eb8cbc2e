import { type Labels, labelsFor } from '../../../../languages/labels.ts'
import type { Content, Variant } from '../../../../persistence/entities/notification-event.ts'
import { dateLocale } from '../../../settings/rules.ts'
import { remembering } from '../../../texts/remembered-rules.ts'
import { wordsIn } from '../../../translations/rules.ts'
import { automaticTextIn } from '../../../vocabulary/automatic-text-rules.ts'
import { stageNameIn, statusNameIn } from '../../../vocabulary/status-name-rules.ts'
import type { Recipient } from '../channel.ts'
import { lineOf } from './words-rules.ts'

/** How one recipient reads: labels, statuses, moments and translations. */
export interface Reader {
  locale: string
  labels: Labels
  zone: string
  moment(value: unknown): string | undefined
  status(key: unknown): string
  stage(kind: 'incident' | 'maintenance', stage: { id: number; name: string }): string
  item(item: { id: number; name: string }): string
  /** The record with the words of a translation. */
  translated(record: Record<string, unknown>, variants: Variant[]): Record<string, unknown>
  /** The entry of a timeline with the words of a translation; an automatic entry is a label. */
  entry(entry: Record<string, unknown>, variants: Variant[]): Record<string, unknown>
}

export function readerOf(
  { locale, time_zone }: Pick<Recipient, 'locale' | 'time_zone'>,
  content?: Pick<Content, 'statuses' | 'translations'>,
): Reader {
  const names = content?.translations.names
  const labels = labelsFor(locale)
  const format = momentFormat(locale, time_zone)
  const nameIn = (variants: Variant[] = []) => wordsIn(locale, variants as Words[]).name
  return {
    locale,
    labels,
    zone: time_zone,
    moment(value) {
      const moment = value instanceof Date ? value : new Date(typeof value === 'string' ? value : Number.NaN)
      return Number.isNaN(moment.getTime()) ? undefined : format.format(moment)
    },
    status(key) {
      const name = typeof key === 'string' ? key : ''
      return lineOf(nameIn(names?.statuses[name]) ?? statusNameIn(labels, name, content?.statuses[name]))
    },
    stage: (kind, { id, name }) => nameIn(names?.stages[id]) ?? stageNameIn(labels, kind, name),
    item: ({ id, name }) => nameIn(names?.items[id]) ?? name,
    translated: (record, variants) => ({ ...record, ...wordsIn(locale, variants as Words[]) }),
    entry(entry, variants) {
      const message = typeof entry.message === 'string' ? automaticTextIn(labels, entry as unknown as Entry) : undefined
      return { ...entry, ...(message === undefined ? {} : { message }), ...wordsIn(locale, variants as Words[]) }
    },
  }
}

type Entry = Parameters<typeof automaticTextIn>[1]

interface Words {
  locale: string
  values: Record<string, string>
}

/** Kept, because making a format costs more than the rest of a mail. */
const formats = remembering<Intl.DateTimeFormat>(200)

const momentFormat = (locale: string, timeZone: string): Intl.DateTimeFormat =>
  formats(
    `${locale} ${timeZone}`,
    () =>
      new Intl.DateTimeFormat(dateLocale(locale, labelsFor(locale).language), {
        ...{ year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
        ...{ timeZone, timeZoneName: 'short' },
      }),
  )
