import type { Content } from '../markup.ts'

/** Names in a row, with the separators of the language. Pure: no clock, no database. */

const formats = new Map<string, Intl.ListFormat>()

function formatOf(language: string): Intl.ListFormat {
  const format = formats.get(language) ?? new Intl.ListFormat(language, { type: 'conjunction' })
  formats.set(language, format)
  return format
}

/** `Search, Checkout, and Payments`; each name can be markup. */
export function listInWords(names: Content[], language: string): Content[] {
  const positions = names.map((_, index) => String(index))
  const parts = formatOf(language).formatToParts(positions)
  return parts.map(({ type, value }) => (type === 'element' ? names[Number(value)] : value))
}
