import type { PageHistory } from '../../domain/uptime/page-history.ts'

/** The bars of an item: one for each day, drawn as one dashed line for each look. Pure. */

type Day = PageHistory['items'][number]['days'][number]

const STEP = 4
const WIDTH = 3
export const HEIGHT = 30
/** The height shows maintenance, and days without data, also without colour. */
const LOW = 20
const LOWEST = 8

export const widthOf = (days: number) => days * STEP - (STEP - WIDTH)

/** Each bar is a dash of a line, so that a row of days with the same look needs one line alone. */
export const DASHES = `${WIDTH} ${STEP - WIDTH}`

export interface Stroke {
  className: string
  height: number
  path: string
}

interface Look {
  className: string
  /** Whether the status is maintenance. */
  planned: boolean
}

const NO_DATA: Look = { className: 'nd', planned: false }

/** The lines of days with the same look. */
export function strokesOf(days: Pick<Day, 'status'>[], lookOf: (status: string) => Look): Stroke[] {
  const strokes = new Map<string, Stroke>()
  for (let from = 0, to = 0; from < days.length; from = to) {
    const { status } = days[from]!
    while (to < days.length && days[to]!.status === status) to += 1
    const { className, planned } = status === null ? NO_DATA : lookOf(status)
    const height = status === null ? LOWEST : planned ? LOW : HEIGHT
    const stroke = strokes.get(className) ?? { className, height, path: '' }
    stroke.path += `M${from * STEP} ${HEIGHT - height / 2}h${widthOf(to - from)}`
    strokes.set(className, stroke)
  }
  return [...strokes.values()]
}

/** A day as the script of the page reads it: its index, uptime, seconds by status, incidents and maintenances. */
export type PackedDay = [number, number | null, [string, number][], number[], number[]]

/** The first day with data: the item began on it. */
export function firstWithData(days: Pick<Day, 'status'>[]): number {
  const first = days.findIndex(({ status }) => status !== null)
  return first < 0 ? days.length : first
}

/**
 * The days from the first one with data that have anything but the status `calm`, which all other days have alone. Items share their
 * calm days: one that is already known, from another item, is not looked at again.
 */
export function packedDays(days: Day[], calm: string, known: Day[] = []): PackedDay[] {
  const packed: PackedDay[] = []
  for (let index = firstWithData(days); index < days.length; index += 1) {
    const day = days[index]!
    if (day === known[index]) continue
    if (isCalm(day, calm)) {
      known[index] = day
      continue
    }
    const { uptime_percent, seconds, incident_ids, maintenance_ids } = day
    packed.push([index, uptime_percent, Object.entries(seconds), incident_ids, maintenance_ids])
  }
  return packed
}

function isCalm({ uptime_percent, seconds, incident_ids, maintenance_ids }: Day, calm: string): boolean {
  if (uptime_percent !== 100 || incident_ids.length > 0 || maintenance_ids.length > 0) return false
  for (const status in seconds) if (status !== calm) return false
  return true
}
