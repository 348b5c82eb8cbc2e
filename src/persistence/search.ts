import { raw } from '@mikro-orm/postgresql'

/** The condition that one of these columns contains the text, without regard to case and accents. */
export function columnsContain(columns: readonly string[], text: string): object {
  return { $or: columns.map((column) => columnContains(column, text)) }
}

/** The SQL condition for any expression, with the text as its parameter. */
export const containsSql = (expression: string): string => `strpos(search_text(${expression}), search_text(?)) > 0`

const columnContains = (column: string, text: string): object => ({
  [raw((alias) => containsSql(`${alias}.${column}`), [text])]: [],
})
