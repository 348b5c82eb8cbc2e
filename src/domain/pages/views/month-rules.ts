/** Months as texts such as 2026-10. Pure: no clock. */

const EARLIEST = '1990-01'

/** Whether a text names a month that a page can have. */
export const isMonth = (text: string): boolean => /^[12]\d{3}-(0[1-9]|1[0-2])$/.test(text) && text >= EARLIEST

export const monthAfter = (month: string): string => moved(month, 1)
export const monthBefore = (month: string): string => moved(month, -1)

function moved(month: string, by: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}
