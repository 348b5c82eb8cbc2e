import type { PageView } from '../../src/domain/pages/views/home.ts'
import { affected, incident, itemsOf, update, view } from '../../test/page/samples.ts'

const PRODUCTS = 100
const COMPONENTS = 9
const DAYS = 90
const INCIDENTS = 100
const EVERY_BAD_DAY = 31
const SECONDS = 86_400

/** A page of 1,000 items with 90 days each, of which every 31st has an incident, and 100 incidents. */
export function largePage(): PageView {
  const lines = Array.from({ length: PRODUCTS }, (_, product) => [
    `Product ${product}`,
    ...Array.from({ length: COMPONENTS }, (_, component) => `Product ${product} > Component ${component}`),
  ])
  const items = itemsOf(...lines.flat())
  const dates = Array.from({ length: DAYS }, (_, n) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10))
  // Items share their calm days, as in every history.
  const calm = dates.map(calmDay)
  let day = 0
  const historyOf = (item: (typeof items)[number]) => ({
    item: { ...item, slug: `item-${item.id}` },
    ...{ start_date: '2025-01-01T00:00:00.000Z', uptime_percent: 99.9876, seconds: { operational: DAYS * SECONDS } },
    days: dates.map((date, index) => {
      day += 1
      if (day % EVERY_BAD_DAY > 0) return calm[index]!
      const seconds = { operational: SECONDS - 5400, degraded: 5400 }
      const incident_ids = [1 + (day % INCIDENTS)]
      return { ...{ date, uptime_percent: 93.75, status: 'degraded', seconds, incident_ids }, maintenance_ids: [] }
    }),
  })
  const incidents = Array.from({ length: INCIDENTS }, (_, n) =>
    incident({
      ...{ id: n + 1, title: `Incident ${n}`, description: `The text of **incident** ${n}` },
      affected_items: affected(items[n]!, items[n + 200]!),
      updates: [update(n * 3), update(n * 3 + 1), update(n * 3 + 2)],
    }),
  )
  const window = {
    timezone: 'UTC',
    days: DAYS,
    start_time: `${dates[0]}T00:00:00Z`,
    end_time: `${dates.at(-1)}T12:00:00Z`,
  }
  return view({
    items,
    history: { ...window, target_percent: null, weights: {}, weights_since: {}, items: items.map(historyOf) },
    happened: { incidents: incidents.map(({ id, title }) => ({ id, title })), maintenances: [] },
    open_incidents: incidents.slice(0, INCIDENTS / 2),
    resolved_incidents: incidents.slice(INCIDENTS / 2).map((one) => ({ ...one, resolved_at: one.updated_at })),
  })
}

const calmDay = (date: string) => ({
  ...{ date, uptime_percent: 100, status: 'operational' },
  ...{ seconds: { operational: SECONDS }, incident_ids: [], maintenance_ids: [] },
})
