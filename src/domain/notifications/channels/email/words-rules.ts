import { cut } from '../../../kernel/text-rules.ts'

/** Texts of users, prepared for mails. */

/** Characters that change the direction of what follows, also outside the text. */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g
/** Characters without a form of their own: control characters but tabs and line breaks, and marks of direction. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\ufeff]/gu

/** Around a name in a text of the service, which can have the other direction. Names have no such marks of their own. */
const ISOLATE = { from: '\u2068', to: '\u2069' }

export const isolated = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, text]) => [name, ISOLATE.from + text + ISOLATE.to]))

/** Replaces the marks around names, in HTML by `bdi`. */
export const withMarks = (text: string, { from, to }: typeof ISOLATE): string =>
  text.replaceAll(ISOLATE.from, from).replaceAll(ISOLATE.to, to)

const LONGEST_LINE = 200

/** A text in one line, such as a name. The mark of the cut is `…`. */
export function lineOf(text: unknown, max = LONGEST_LINE): string {
  const line = beginningOf(text, 4 * max)
    .replace(DIRECTIONS, '')
    .replace(CONTROLS, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > max ? `${cut(line, max - 1)}…` : line
}

/** A text for a header. Mail programs decode what begins with `=?`, also into line breaks and marks of direction. */
export const headerTextOf = (line: string): string => line.replaceAll('=?', '= ?')

/** A text of several lines, such as a message. */
export function proseOf(text: unknown, max: number): string {
  const prose = beginningOf(text, 4 * max)
    .replace(/\r\n?/g, '\n')
    .replace(DIRECTIONS, '')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  return prose.length > max ? `${cut(prose, max - 1)}…` : prose
}

/** The beginning first: the rest of a long text costs nothing. */
function beginningOf(value: unknown, length: number): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.slice(0, length).toWellFormed() : ''
}

/** A link that a mail may show: hostile addresses such as `javascript:` are left out. */
export function linkOf(url: unknown): string | undefined {
  const parsed = typeof url === 'string' ? URL.parse(url) : null
  return parsed && /^https?:$/.test(parsed.protocol) ? parsed.href : undefined
}
