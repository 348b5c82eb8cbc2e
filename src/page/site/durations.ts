import type { Reading } from './times.ts'

/** Durations in words: the two largest units. Pure: no clock. */

const units = [
  ['days', 24 * 60 * 60],
  ['hours', 60 * 60],
  ['minutes', 60],
  ['seconds', 1],
] as const

const formats = new Map<string, Intl.DurationFormat>()

function formatOf(language: string, style: 'long' | 'narrow'): Intl.DurationFormat {
  const key = `${language} ${style}`
  const known = formats.get(key)
  const format = known ?? new Intl.DurationFormat(language, { style })
  if (!known) formats.set(key, format)
  return format
}

/** `2 hours, 24 minutes` */
export function durationOf(
  seconds: number,
  { language }: Pick<Reading, 'language'>,
  style: 'long' | 'narrow' = 'long',
): string {
  const first = units.findIndex(([, size]) => seconds >= size)
  if (first === -1) return zero(language, style)
  let left = Math.floor(seconds)
  const parts: Partial<Record<(typeof units)[number][0], number>> = {}
  for (const [unit, size] of units.slice(first, first + 2)) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts[unit] = count
  }
  return formatOf(language, style).format(parts)
}

const zeros = new Map<string, string>()

function zero(language: string, style: 'long' | 'narrow'): string {
  const key = `${language} ${style}`
  const known = zeros.get(key)
  const words =
    known ?? new Intl.NumberFormat(language, { style: 'unit', unit: 'second', unitDisplay: style }).format(0)
  if (known === undefined) zeros.set(key, words)
  return words
}

/** `24 hours` for the range `24h` of a measurement. */
export function rangeInWords(range: string, { language }: Pick<Reading, 'language'>): string {
  const count = Number.parseInt(range, 10)
  return formatOf(language, 'long').format(range.endsWith('h') ? { hours: count } : { days: count })
}

/** The time between two moments, in whole minutes from one minute on. */
export function durationBetween(from: string, to: string, reading: Pick<Reading, 'language'>): string {
  const seconds = Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 1000))
  return durationOf(seconds < 60 ? seconds : seconds - (seconds % 60), reading)
}
