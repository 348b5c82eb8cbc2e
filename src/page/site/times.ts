import { remembering } from '../../domain/texts/remembered-rules.ts'
import { html, type Markup } from '../markup.ts'

type Shape = 'within the day' | 'within the year' | 'with the year' | 'day' | 'month'

const shapes: Record<Shape, Intl.DateTimeFormatOptions> = {
  'within the day': {},
  'within the year': { day: 'numeric', month: 'long' },
  'with the year': { day: 'numeric', month: 'long', year: 'numeric' },
  day: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
}
const clock: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }

/** Creating a format takes as long as formatting a hundred times. */
const formats = remembering<Intl.DateTimeFormat>(500)
/** The words of the moments of a page, which is rendered again and again. */
const words = remembering<string>(5000)

function formatOf({ locale, zone }: Pick<Reading, 'locale' | 'zone'>, shape: Shape, timed: boolean) {
  return formats(
    `${locale} ${zone} ${shape} ${timed}`,
    () => new Intl.DateTimeFormat(locale, { ...shapes[shape], ...(timed ? clock : {}), timeZone: zone }),
  )
}

/** The locale of dates, the time of the page, its time zone, and the language of its labels. */
export interface Reading {
  now: string
  locale: string
  zone: string
  language: string
}

/** `2 March at 14:05 UTC` in the format of the locale, with the year if it is not the current year. */
export function spelled(moment: string, reading: Reading): string {
  const shape = moment.slice(0, 4) === reading.now.slice(0, 4) ? 'within the year' : 'with the year'
  const { locale, zone } = reading
  return words(`${locale} ${zone} ${shape} ${moment}`, () => formatOf(reading, shape, true).format(new Date(moment)))
}

export const isSameDay = (end: string, beginning: string | undefined, reading: Reading): boolean =>
  beginning !== undefined && dateIn(beginning, reading) === dateIn(end, reading)

/** The end of a time: on the day of its beginning, without the date. */
export function endElement(end: string, beginning: string | undefined, reading: Reading): Markup {
  const words = isSameDay(end, beginning, reading)
    ? formatOf(reading, 'within the day', true).format(new Date(end))
    : spelled(end, reading)
  return element(end, words, reading)
}

/** The element has its own direction and language, because dates can be in another language than the page. */
function element(moment: string, words: string, { locale, language }: Reading): Markup {
  const isOther = locale.split('-')[0] !== language.split('-')[0]
  return html`<time datetime="${moment}" dir="auto"${isOther && html` lang="${locale}"`}>${words}</time>`
}

export function timeElement(moment: string | null | undefined, reading: Reading): Markup | undefined {
  return moment ? element(moment, spelled(moment, reading), reading) : undefined
}

export const updatedAt = (moment: string, reading: Reading): Markup =>
  element(moment, updatedInWords(moment, reading), reading)

export const updatedInWords = (moment: string, reading: Reading): string =>
  formatOf(reading, 'with the year', true).format(new Date(moment))

const utc = (reading: Reading) => ({ locale: reading.locale, zone: 'UTC' })

/** `Monday, 2 March 2026` for a date such as 2026-03-02. */
export const dayInWords = (date: string, reading: Reading): string =>
  formatOf(utc(reading), 'day', false).format(new Date(`${date}T00:00:00Z`))

/** `14–17 March 2026` for two dates; for one date like `dayInWords`. */
export function daysInWords(first: string, last: string, reading: Reading): string {
  if (first === last) return dayInWords(first, reading)
  const [from, to] = [first, last].map((date) => new Date(`${date}T00:00:00Z`))
  return formatOf(utc(reading), 'with the year', false).formatRange(from!, to!)
}

/** `March 2026` for a month such as 2026-03. */
export const monthInWords = (month: string, reading: Reading): string =>
  formatOf(utc(reading), 'month', false).format(new Date(`${month}-01T00:00:00Z`))

const dates = new Map<string, Intl.DateTimeFormat>()

/** The date of a moment in the time zone of the page, such as 2026-03-02. */
export function dateIn(moment: string, { zone }: Reading): string {
  const known = dates.get(zone)
  const format = known ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' })
  if (!known) dates.set(zone, format)
  return format.format(new Date(moment))
}
