import { wallAt, zoneOf } from '../domain/series/recurrence/zone.ts'

const MINUTE = 60_000

/** A moment as the original writes it: `2026-11-23T13:00:00.000+01:00`, in the time zone of the page. */
export function timeIn(zone: string): (iso: string) => string {
  const { offsetAt } = zoneOf(zone)
  return (iso) => {
    const instant = Date.parse(iso)
    const offset = offsetAt(instant)
    const local = new Date(wallAt(instant, zoneOf(zone))).toISOString().slice(0, -1)
    return local + (offset === 0 ? 'Z' : offsetText(offset))
  }
}

export const dateIn =
  (zone: string) =>
  (iso: string): string =>
    timeIn(zone)(iso).slice(0, 10)

function offsetText(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / MINUTE)
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'))
  return `${offset < 0 ? '-' : '+'}${hours}:${rest}`
}
