import type { Maintenance } from '../../persistence/entities/maintenance.ts'
import type { MaintenanceSeries } from '../../persistence/entities/maintenance-series.ts'
import type { RecurringEvent, SingleEvent } from './schema.ts'
import { type Place, type Recurrence, recurrenceOf } from './series-events.ts'

/** The events of a calendar. Pure: no clock, no database. */

type Window = Pick<
  Maintenance,
  | ('id' | 'version' | 'title' | 'description' | 'status' | 'series_id' | 'created_at' | 'updated_at')
  | ('scheduled_start_time' | 'scheduled_end_time' | 'started_at' | 'ended_at')
> & {
  items: string[]
  /** Whether readers of this calendar see the window. */
  isShown: boolean
}

interface StoredOccurrence {
  at: number
  maintenance_id: number | null
  skipped: boolean
  edited: boolean
  /** The window was cancelled or deleted. */
  isGone: boolean
}

type Series = Omit<MaintenanceSeries, symbol> & { items: string[]; occurrences: StoredOccurrence[] }

interface Facts {
  maintenances: Window[]
  series: Series[]
  /** A series is left out if its last occurrence started before. */
  since: number
}

const MINUTE = 60_000

export function eventsOf({ maintenances, series, since }: Facts) {
  const windows = new Map(maintenances.map((one) => [one.id, one]))
  const recurring = series.flatMap((one) => {
    const found = recurringEvent(one, windows, since)
    return found ? [found] : []
  })
  const within = new Map(recurring.flatMap(({ replaced }) => [...replaced]))
  const hidden = new Set(recurring.flatMap(({ plain }) => plain))
  return {
    maintenances: maintenances
      .filter(({ id, isShown }) => isShown && !hidden.has(id))
      .flatMap((window) => singleEvent(window, within.get(window.id)) ?? []),
    series: recurring.map(({ event }) => event),
  }
}

/** A window without a start is in no calendar. Times of a calendar have whole seconds. */
function singleEvent(window: Window, occurrence: SingleEvent['occurrence']): SingleEvent | undefined {
  const { id, version, title, description, items, created_at, updated_at, status } = window
  const start = window.scheduled_start_time ?? window.started_at
  if (!start) return undefined
  const end = window.scheduled_end_time ?? window.ended_at
  return {
    ...{ id, version, title, description, items },
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    starts_at: start.toISOString(),
    ends_at: end && end > start ? end.toISOString() : null,
    cancelled: status === 'cancelled',
    ...(occurrence && { occurrence }),
  }
}

function recurringEvent(series: Series, windows: Map<number, Window>, since: number) {
  const { id } = series
  const places = placesOf(series, windows)
  const recurrence = recurrenceOf(series, places)
  if (!recurrence || (recurrence.until !== undefined && recurrence.until < since)) return undefined
  const inside = places.flatMap(({ at, shown, window }) =>
    window && recurrence.has(at) ? [{ at, shown, window }] : [],
  )
  const isOwn = ({ shown }: Place) => shown === 'own'
  return {
    event: presentRecurring(series, recurrence),
    replaced: inside.filter(isOwn).map(({ at, window }): [number, Replaced] => {
      return [window.id, { series_id: id, at: new Date(at).toISOString() }]
    }),
    plain: inside.filter((place) => !isOwn(place)).map(({ window }) => window.id),
  }
}

type Replaced = NonNullable<SingleEvent['occurrence']>

const RANKS = ['plain', 'own', 'hidden'] as const

/** Changes of a schedule can leave two windows at one start: the other one is an event of its own. */
function placesOf(series: Series, windows: Map<number, Window>): (Place & { window: Window | undefined })[] {
  const all = series.occurrences.map((one) => {
    const window = windows.get(one.maintenance_id ?? 0)
    return { at: one.at, shown: shownAs(series, one, window), window }
  })
  const byRank = all.sort((a, b) => RANKS.indexOf(a.shown) - RANKS.indexOf(b.shown))
  return [...Map.groupBy(byRank, ({ at }) => at).values()].map(([first]) => first!)
}

/** An occurrence whose window is not among the present ones is over for long: only whether it was changed is known. */
function shownAs(series: Series, one: StoredOccurrence, window: Window | undefined): Place['shown'] {
  const { at, skipped, isGone, edited } = one
  if (skipped) return 'hidden'
  if (!window) return isGone || edited ? 'hidden' : 'plain'
  if (!window.isShown || !(window.scheduled_start_time ?? window.started_at)) return 'hidden'
  return isGone || differs(series, at, window) ? 'own' : 'plain'
}

function differs(series: Series, at: number, window: Window): boolean {
  const end = at + series.duration_minutes * MINUTE
  return (
    window.scheduled_start_time?.getTime() !== at ||
    window.scheduled_end_time?.getTime() !== end ||
    window.title !== series.title ||
    window.description !== series.description ||
    window.items.join('\n') !== series.items.join('\n')
  )
}

function presentRecurring(series: Series, { first, rule, until, excluded }: Recurrence): RecurringEvent {
  const { id, version, title, description, items, timezone, duration_minutes, settled_until } = series
  const iso = (moment: number | Date) => new Date(moment).toISOString()
  return {
    ...{ id, version, title, description, items, rule, time_zone: timezone },
    created_at: iso(series.created_at),
    updated_at: iso(series.updated_at),
    starts_at: iso(first),
    ends_at: iso(first + duration_minutes * MINUTE),
    ...(until !== undefined && { until: iso(until) }),
    excluded: excluded.map(iso),
    known_until: iso(Math.max(settled_until.getTime(), first)),
  }
}
