import type { PageHistory } from '../../domain/uptime/page-history.ts'

/** The bars of an item: one for each day, drawn as one path for each look. Pure. */

type Day = PageHistory['items'][number]['days'][number]

const STEP = 4
const WIDTH = 3
export const HEIGHT = 30
/** The height shows maintenance, and days without data, also without colour. */
const LOW = 20
const LOWEST = 8

export const widthOf = (days: number) => days * STEP - (STEP - WIDTH)

export interface Stroke {
  className: string
  path: string
}

interface Look {
  className: string
  /** Whether the status is maintenance. */
  planned: boolean
}

/** The path of all days with the same look. */
export function strokesOf(days: Pick<Day, 'status'>[], lookOf: (status: string) => Look): Stroke[] {
  const parts = new Map<string, string[]>()
  days.forEach(({ status }, index) => {
    const look = status === null ? undefined : lookOf(status)
    const height = !look ? LOWEST : look.planned ? LOW : HEIGHT
    const className = look?.className ?? 'nd'
    const bars = parts.get(className) ?? []
    parts.set(className, bars)
    bars.push(bar(index, height))
  })
  return [...parts].map(([className, bars]) => ({ className, path: bars.join('') }))
}

const bar = (index: number, height: number) => `M${index * STEP} ${HEIGHT - height}h${WIDTH}v${height}h-${WIDTH}z`

/** A day as the script of the page reads it: its index, uptime, seconds by status, incidents and maintenances. */
export type PackedDay = [number, number | null, [string, number][], number[], number[]]

/** The days with anything but the first status of the page. All other days are like the first of them in `calm`. */
export function packedDays(days: Day[], calm: string): PackedDay[] {
  return days.flatMap((day, index): PackedDay[] => {
    const { uptime_percent, seconds, incident_ids, maintenance_ids } = day
    const times = Object.entries(seconds)
    const isCalm = times.length === 1 && times[0]![0] === calm && uptime_percent === 100
    if (isCalm && incident_ids.length === 0 && maintenance_ids.length === 0) return []
    return [[index, uptime_percent, times, incident_ids, maintenance_ids]]
  })
}
