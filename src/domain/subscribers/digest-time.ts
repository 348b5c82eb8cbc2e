import { instantOf, localOf } from '../series/recurrence/zone.ts'

const TIME_OF_DIGEST = '09:00'
const DAY_MS = 24 * 60 * 60 * 1000

/** When it is nine in the morning next in a time zone. */
export function nextDigestAt(now: Date, zone: string): Date {
  const { date } = localOf(now, zone)
  const today = instantOf(date, TIME_OF_DIGEST, zone)
  if (today > now) return today
  const tomorrow = new Date(Date.parse(`${date}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)
  return instantOf(tomorrow, TIME_OF_DIGEST, zone)
}
