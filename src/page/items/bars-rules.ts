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

interface Stroke {
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

/** A day as the script of the page reads it: its index, uptime, seconds by status, incidents and maintenances. */
type PackedDay = [number, number | null, Record<string, number>, number[], number[]]

interface Drawing {
  /** One line for each look. */
  strokes: Stroke[]
  /** The index of the first day with data, on which the item began. */
  began: number
  /** The days since then, without those that have the status `calm` alone. */
  packed: PackedDay[]
}

interface Drawer {
  lookOf: (status: string) => Look
  calm: string
  /** The calm days of other items by their index. Items share them: a day that is known is not looked at again. */
  known: Day[]
  /** All statuses that are drawn. */
  used: Set<string | null>
}

export function drawingOf(days: Day[], { lookOf, calm, known, used }: Drawer): Drawing {
  const strokes: Stroke[] = []
  const packed: PackedDay[] = []
  let began = 0
  for (let from = 0, to = 0; from < days.length; from = to) {
    const { status } = days[from]!
    const isBeforeStart = status === null && from === 0
    if (status === calm) to = afterShared(days, known, from)
    for (; to < days.length; to += 1) {
      const day = days[to]!
      if (day.status !== status) break
      if (isBeforeStart) continue
      if (isCalm(day, calm)) known[to] = day
      else packed.push(packedDay(to, day))
    }
    if (isBeforeStart) began = to
    used.add(status)
    draw(strokes, status === null ? NO_DATA : lookOf(status), status === null, from, to)
  }
  return { strokes, began, packed }
}

/** The index of the first day from `from` on that items do not share. */
function afterShared(days: Day[], known: Day[], from: number): number {
  let index = from
  while (index < days.length && days[index] === known[index]) index += 1
  return index
}

function draw(strokes: Stroke[], { className, planned }: Look, isEmpty: boolean, from: number, to: number): void {
  let stroke = strokes.find((one) => one.className === className)
  if (!stroke) {
    stroke = { className, height: isEmpty ? LOWEST : planned ? LOW : HEIGHT, path: '' }
    strokes.push(stroke)
  }
  stroke.path += `M${from * STEP} ${HEIGHT - stroke.height / 2}h${widthOf(to - from)}`
}

function packedDay(index: number, { uptime_percent, seconds, incident_ids, maintenance_ids }: Day): PackedDay {
  return [index, uptime_percent, seconds, incident_ids, maintenance_ids]
}

function isCalm({ status, uptime_percent, seconds, incident_ids, maintenance_ids }: Day, calm: string): boolean {
  if (status !== calm || uptime_percent !== 100 || incident_ids.length > 0 || maintenance_ids.length > 0) return false
  for (const one in seconds) if (one !== calm) return false
  return true
}
