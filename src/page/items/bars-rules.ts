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

const NO_DATA: Look = { className: 'nd', planned: false }

/** The paths of days with the same look. Days in a row with the same look are a part of a path that is made once. */
export function strokesOf(days: Pick<Day, 'status'>[], lookOf: (status: string) => Look): Stroke[] {
  const paths = new Map<string, string>()
  for (let from = 0, to = 0; from < days.length; from = to) {
    const { status } = days[from]!
    while (to < days.length && days[to]!.status === status) to += 1
    const { className, planned } = status === null ? NO_DATA : lookOf(status)
    const row = rowOf(status === null ? LOWEST : planned ? LOW : HEIGHT, days.length)
    paths.set(className, (paths.get(className) ?? '') + row.path.slice(row.starts[from], row.starts[to]))
  }
  return [...paths].map(([className, path]) => ({ className, path }))
}

interface Row {
  path: string
  /** Where the bar of each day starts in the path, and the end of the path. */
  starts: number[]
}

const rows = new Map<string, Row>()

/** The bars of all days with the same height. */
function rowOf(height: number, days: number): Row {
  const key = `${height} ${days}`
  const known = rows.get(key)
  if (known) return known
  const row: Row = { path: '', starts: [0] }
  for (let index = 0; index < days; index += 1) {
    row.path += `M${index * STEP} ${HEIGHT - height}h${WIDTH}v${height}h-${WIDTH}z`
    row.starts.push(row.path.length)
  }
  rows.set(key, row)
  return row
}

/** A day as the script of the page reads it: its index, uptime, seconds by status, incidents and maintenances. */
export type PackedDay = [number, number | null, [string, number][], number[], number[]]

/** The days with anything but the status `calm`, which all other days have alone. */
export function packedDays(days: Day[], calm: string): PackedDay[] {
  const packed: PackedDay[] = []
  days.forEach((day, index) => {
    if (isCalm(day, calm)) return
    const { uptime_percent, seconds, incident_ids, maintenance_ids } = day
    packed.push([index, uptime_percent, Object.entries(seconds), incident_ids, maintenance_ids])
  })
  return packed
}

function isCalm({ uptime_percent, seconds, incident_ids, maintenance_ids }: Day, calm: string): boolean {
  if (uptime_percent !== 100 || incident_ids.length > 0 || maintenance_ids.length > 0) return false
  for (const status in seconds) if (status !== calm) return false
  return true
}
