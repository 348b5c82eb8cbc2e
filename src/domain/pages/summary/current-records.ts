import type { EntityManager } from '@mikro-orm/postgresql'
import { Incident } from '../../../persistence/entities/incident.ts'
import { Maintenance } from '../../../persistence/entities/maintenance.ts'
import { incidentsOfItems, maintenancesOfItems } from '../../../persistence/incidents.ts'
import { presentPublic as presentMaintenances } from '../../maintenances/presenter.ts'
import type { Reading } from '../../translations/languages.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Keeps a page with a flood of open incidents quick to read. */
const OPEN_AT_MOST = 50

/** The items of a part of the page; null for the whole page. */
type Items = ReadonlySet<number> | null

export const incidentsIn = (items: Items) => (items === null ? {} : { id: { $in: incidentsOfItems(items) } })
const maintenancesIn = (items: Items) => (items === null ? {} : { id: { $in: maintenancesOfItems(items) } })

/** The open incidents that started last. */
export const openIncidents = (tx: EntityManager, items: Items = null): Promise<Incident[]> =>
  tx.find(
    Incident,
    { resolved_at: null, ...incidentsIn(items) },
    { orderBy: [{ started_at: 'desc' }, { id: 'desc' }], limit: OPEN_AT_MOST },
  )

/** The number of open incidents, of which `found` were read. */
export const openTotal = async (tx: EntityManager, found: number, items: Items = null): Promise<number> =>
  found < OPEN_AT_MOST ? found : tx.count(Incident, { resolved_at: null, ...incidentsIn(items) })

const MAINTENANCES_AT_MOST = 20
/** Enough rows to find the next window of each series, even with a daily series. */
const LOOKED_AT = 500

interface Asked {
  now: Date
  reading: Reading
  days: number
  items?: Items
}

/** The maintenances in progress, and those to come within some days. */
export async function maintenancesOf(tx: EntityManager, asked: Asked) {
  const { now, reading, days, items = null } = asked
  const scope = maintenancesIn(items)
  const soonest = { scheduled_start_time: 'asc', id: 'asc' } as const
  const options = { orderBy: soonest, limit: MAINTENANCES_AT_MOST }
  const active = await tx.find(Maintenance, { status: 'in_progress', ended_at: null, ...scope }, options)
  const begins = { scheduled_start_time: { $lt: new Date(now.getTime() + days * DAY_MS) } }
  // A maintenance that was neither started nor cancelled before its end is not upcoming.
  const goesOn = { $or: [{ scheduled_end_time: null }, { scheduled_end_time: { $gt: now } }] }
  const ahead = { status: 'scheduled', ended_at: null, ...begins, ...goesOn, ...scope }
  const coming = days === 0 ? [] : await tx.find(Maintenance, ahead, { orderBy: soonest, limit: LOOKED_AT })
  const upcoming = nextOfEach(coming).slice(0, MAINTENANCES_AT_MOST)
  const full = await presentMaintenances(tx, [...active, ...upcoming], reading)
  return { active_maintenances: full.slice(0, active.length), upcoming_maintenances: full.slice(active.length) }
}

/** Of each series only the next window is shown. */
function nextOfEach(upcoming: Maintenance[]): Maintenance[] {
  const seen = new Set<number>()
  return upcoming.filter(({ series_id }) => {
    if (series_id === null) return true
    const first = !seen.has(series_id)
    seen.add(series_id)
    return first
  })
}
