import type { ArezAnswer, NpmAnswer } from './install.ts'
import type { State } from './states.ts'

/** What each client reads of a state. The page has the item "Search" below the item "Shop". */

/** How aRez shows a value: `in_progress` as `In Progress`. */
const titled = (value: string) => value.replaceAll('_', ' ').replace(/\b\w/g, (letter) => letter.toUpperCase())

export function ofArez({ indicator, description, component, incident, isOpen, maintenance }: State): ArezAnswer {
  const event = (name: string, entries: string[]) => ({
    ...{ name, status: titled(entries[0]!), components: ['Search'], updates: entries.map(titled) },
  })
  return {
    ...{ indicator: titled(indicator), description },
    ...{ groups: { Shop: titled(component) }, components: { Search: titled(component) } },
    incidents: isOpen ? [{ ...event('Search is slow', incident!), impact: titled(indicator) }] : [],
    maintenances: maintenance ? [event('Upgrade', maintenance)] : [],
  }
}

/** Beginnings of the lines of the exporter; `1` is operational. */
export function ofExporter({ component, indicator, isOpen, maintenance }: State): RegExp[] {
  const works = component === 'operational' ? '1' : '0'
  return [
    new RegExp(`^statuspage_service_status{service_name="Page"} ${works}`),
    /^statuspage_probe_check{service_name="Page"} 1/,
    ...['Shop', 'Search'].map(
      (name) => new RegExp(`^statuspage_component_status{component_name="${name}",service_name="Page"} ${works}`),
    ),
    ...(isOpen
      ? [new RegExp(`^statuspage_incident_info{.*"Search".*impact="${indicator}".*/incidents/1".*started_at="2`)]
      : []),
    ...(maintenance ? [/^statuspage_maintenance_info{.*"Search".*"Upgrade".*\/maintenances\/1"/] : []),
  ]
}

export function ofNpm({ indicator, component, incident, isOpen, maintenance }: State): NpmAnswer {
  const incidents = incident ? [`Search is slow: ${incident[0]}`] : []
  const maintenances = maintenance ? [`Upgrade: ${maintenance[0]}`] : []
  return {
    indicator,
    components: [`Shop: ${component}`, `Search: ${component}`],
    all: incidents,
    unresolved: isOpen ? incidents : [],
    upcoming: maintenance?.length === 1 ? maintenances : [],
  }
}
