import { inLanguage } from './languages.ts'
import { html, type Markup } from './markup.ts'

type Shape = 'within the year' | 'with the year'

const shapes: Record<Shape, Intl.DateTimeFormatOptions> = {
  'within the year': { day: 'numeric', month: 'long' },
  'with the year': { day: 'numeric', month: 'long', year: 'numeric' },
}
const clock: Intl.DateTimeFormatOptions = {
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
}

/** Creating a format takes as long as formatting a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>()
const FORMATS_AT_MOST = 200

function formatOf(locale: string, shape: Shape): Intl.DateTimeFormat {
  const key = `${locale} ${shape}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...shapes[shape], ...clock })
  if (formats.size >= FORMATS_AT_MOST) formats.clear()
  formats.set(key, format)
  return format
}

/** The locale of the reader, and the time of the page. */
export interface Reading {
  now: string
  locale: string
}

/** `2 March at 14:05 UTC` in the format of the locale, with the year if it is not the current year. */
export function spelled(moment: string, { now, locale }: Reading): string {
  const shape = moment.slice(0, 4) === now.slice(0, 4) ? 'within the year' : 'with the year'
  return formatOf(locale, shape).format(new Date(moment))
}

/** The element has its own direction and language, because the page can be in another language. */
const element = (moment: string, words: string, locale: string) =>
  html`<time datetime="${moment}" dir="auto"${inLanguage(locale)}>${words}</time>`

export function timeElement(moment: string | null | undefined, reading: Reading): Markup | undefined {
  return moment ? element(moment, spelled(moment, reading), reading.locale) : undefined
}

export function updatedAt(moment: string, locale: string): Markup {
  return element(moment, formatOf(locale, 'with the year').format(new Date(moment)), locale)
}

const units = [
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
] as const

/** `2 hours 24 minutes`: the two largest units. */
export function duration(from: string, to: string): string {
  let minutes = Math.floor((Date.parse(to) - Date.parse(from)) / 60_000)
  if (minutes < 1) return 'less than a minute'
  const words: string[] = []
  for (const [unit, size] of units) {
    const count = Math.floor(minutes / size)
    minutes %= size
    if (count > 0) words.push(`${count} ${unit}${count === 1 ? '' : 's'}`)
    else if (words.length > 0) break
  }
  return words.slice(0, 2).join(' ')
}
