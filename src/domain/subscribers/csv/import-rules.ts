import { partsOfCell } from './cell-rules.ts'

export interface ImportedLine {
  line: number
  email: string
  /** In lower case. */
  address: string
  locale: string | undefined
  /** The ids of the scope; undefined leaves the scope to the default or as it is. */
  items: number[] | undefined
  kinds: string[] | undefined
}

/** What lines are compared with. */
export interface Known {
  isEmail(text: string): boolean
  localeOf(text: string): string | undefined
  itemOf(name: string): number | undefined
  isKind(text: string): boolean
}

interface Row {
  line: number
  cells: { email: string; locale: string; items: string; event_kinds: string }
  /** A text in a cell that has no column. */
  surplus: string | undefined
}

/** Reads one line; a text is the reason why the line fails. */
export function readLine({ line, cells, surplus }: Row, known: Known): ImportedLine | string {
  const { email } = cells
  if (surplus !== undefined) return `The line has more cells than the header line, such as "${shortened(surplus)}".`
  if (email === '') return 'The line has no email.'
  if (!known.isEmail(email)) return 'The email is no valid address.'
  const locale = cells.locale === '' ? undefined : known.localeOf(cells.locale)
  if (cells.locale !== '' && locale === undefined)
    return `"${shortened(cells.locale)}" is no language tag such as pt-BR.`
  const names = partsOfCell(cells.items)
  const missing = names.find((name) => known.itemOf(name) === undefined)
  if (missing !== undefined) return `There is no item "${shortened(missing)}" on this page.`
  const kinds = partsOfCell(cells.event_kinds)
  const unknown = kinds.find((kind) => !known.isKind(kind))
  if (unknown !== undefined) return `"${shortened(unknown)}" is no kind of event that subscribers are informed of.`
  return {
    ...{ line, email, address: email.toLowerCase(), locale },
    items: names.length > 0 ? [...new Set(names.map((name) => known.itemOf(name)!))] : undefined,
    kinds: kinds.length > 0 ? kinds : undefined,
  }
}

const SHOWN = 60
const shortened = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN).toWellFormed()}…` : text)

/** Why a stored subscriber keeps its state, whatever a file says. */
export const refusals = {
  unsubscribed: 'The person has unsubscribed, and only the person can subscribe again.',
  suppressed: 'The address is suppressed.',
  disabled: 'The address is disabled.',
} as const
