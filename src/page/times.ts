import { html, type Markup } from './markup.ts'

const months = 'January February March April May June July August September October November December'.split(' ')
const two = (number: number) => String(number).padStart(2, '0')

const clock = (date: Date) => `${two(date.getUTCHours())}:${two(date.getUTCMinutes())} UTC`
const day = (date: Date) => `${date.getUTCDate()} ${months[date.getUTCMonth()]}`

/** `2 March, 14:05 UTC`, with the year where it is not this one. */
export function spelled(moment: string, now: string): string {
  const date = new Date(moment)
  const year = moment.slice(0, 4) === now.slice(0, 4) ? '' : ` ${date.getUTCFullYear()}`
  return `${day(date)}${year}, ${clock(date)}`
}

export function timeElement(moment: string | null | undefined, now: string): Markup | undefined {
  return moment ? html`<time datetime="${moment}">${spelled(moment, now)}</time>` : undefined
}

export function updatedAt(moment: string): Markup {
  const date = new Date(moment)
  return html`<time datetime="${moment}">${clock(date)}, ${day(date)} ${date.getUTCFullYear()}</time>`
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
