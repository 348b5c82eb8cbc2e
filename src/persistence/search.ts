import { raw } from '@mikro-orm/postgresql'

/** A condition: one of these columns contains the text. Neither upper case nor accents matter on either side. */
export function columnsContain(columns: readonly string[], text: string): object {
  return { $or: columns.map((column) => columnContains(column, text)) }
}

/** The SQL of the same for any expression, with the text as its one parameter. */
export const containsSql = (expression: string): string => `strpos(search_text(${expression}), search_text(?)) > 0`

const columnContains = (column: string, text: string): object => ({
  [raw((alias) => containsSql(`${alias}.${column}`), [text])]: [],
})
