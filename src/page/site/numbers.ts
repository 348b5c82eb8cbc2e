import { remembering } from '../../domain/texts/remembered-rules.ts'
import type { Labels } from '../../languages/labels.ts'

/** A percentage with the same four decimals as in the API; undefined without a number. */
export function percentInWords(percent: number | null, { language }: Pick<Labels, 'language'>): string | undefined {
  if (percent === null) return undefined
  return percents(`${language} ${percent}`, () =>
    formatOf(language, { style: 'percent', maximumFractionDigits: 4 }).format(percent / 100),
  )
}

/** Most items of a page have one of a few percentages. */
const percents = remembering<string>(5000)

export const numberInWords = (value: number, { language }: Pick<Labels, 'language'>): string =>
  formatOf(language, {}).format(value)

const formats = new Map<string, Intl.NumberFormat>()

function formatOf(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${language} ${options.style ?? ''}`
  const format = formats.get(key) ?? new Intl.NumberFormat(language, options)
  formats.set(key, format)
  return format
}
