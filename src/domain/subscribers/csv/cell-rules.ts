/** A cell that a spreadsheet would take for a formula is a text with an apostrophe in front. */
const FORMULA = /^[=+\-@\t\r]/
const QUOTED = /[",\r\n]/

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
