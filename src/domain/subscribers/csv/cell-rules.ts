/** A cell that a spreadsheet would take for a formula is a text with an apostrophe in front. */
const FORMULA = /^[=+\-@\t\r]/
const QUOTED = /[",\r\n]/

/** The columns of an export. An import reads four of them and ignores the others. */
export const exportColumns = [
  ...['id', 'channel', 'email', 'url', 'state', 'locale', 'time_zone', 'frequency', 'source'],
  ...['scope', 'items', 'view_ids', 'event_kinds'],
  ...['confirmed_at', 'unsubscribed_at', 'suppressed_at', 'suppression_reason', 'bounce_count'],
  ...['version', 'created_at', 'updated_at'],
]

/** The text of a cell without the apostrophe that an export puts in front. */
export const plainCell = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text.slice(1)) ? text.slice(1) : text

type Value = string | number | null | undefined

function cell(value: Value): string {
  const text = String(value ?? '')
  const plain = FORMULA.test(text) ? `'${text}` : text
  return QUOTED.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

export const csvLine = (values: Value[]): string => `${values.map(cell).join(',')}\r\n`

/** The parts of a cell with a list, such as `search;payments`. */
export const partsOfCell = (text: string): string[] => [
  ...new Set(
    text
      .split(';')
      .map((part) => part.trim())
      .filter(Boolean),
  ),
]
