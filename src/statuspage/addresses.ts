import { getStatuspageView, type StatuspageView } from '../domain/statuspage/read.ts'
import type { ReadAddress, ReadPlace } from '../web/read-addresses.ts'
import { componentsOf } from './components.ts'
import { incidentsOf, maintenancesOf, type Shown } from './records.ts'
import { overallStatus } from './status-rules.ts'
import { timeIn } from './times.ts'

type Part = (shown: Shown) => Record<string, unknown>

const status: Part = ({ view, showsMaintenance }) => ({ status: overallStatus(view, { showsMaintenance }) })
const components: Part = (shown) => ({ components: shown.components })
const incidents: Part = (shown) => ({ incidents: incidentsOf(shown) })
const maintenances: Part = (shown) => ({ scheduled_maintenances: maintenancesOf(shown) })

/** The answers of the Statuspage API: the path, the records that it reads, and its parts behind `page`. */
const answers: { path: string; answer: string; parts: Part[] }[] = [
  { path: 'summary', answer: 'summary', parts: [components, incidents, maintenances, status] },
  { path: 'status', answer: 'status', parts: [status] },
  { path: 'components', answer: 'components', parts: [components] },
  { path: 'incidents', answer: 'incidents', parts: [incidents] },
  { path: 'incidents/unresolved', answer: 'unresolved', parts: [incidents] },
  { path: 'scheduled-maintenances', answer: 'maintenances', parts: [maintenances] },
  { path: 'scheduled-maintenances/upcoming', answer: 'upcoming', parts: [maintenances] },
  { path: 'scheduled-maintenances/active', answer: 'active', parts: [maintenances] },
]

/** Asks for the value `maintenance`, which the original uses without documenting it. */
const MAINTENANCE = 'maintenance_indicator'

export const statuspageAddresses: ReadAddress[] = answers.map(({ path, answer, parts }) => ({
  path: `/api/v2/${path}.json`,
  operation: getStatuspageView,
  parameters: (query): Record<string, string> => (query[MAINTENANCE] === 'true' ? { [MAINTENANCE]: 'true' } : {}),
  input: () => ({ answer }),
  render: (view: StatuspageView, { url }: ReadPlace, asked) => {
    const shown = { view, url, components: componentsOf(view), showsMaintenance: asked[MAINTENANCE] === 'true' }
    const body = Object.assign({ page: pageOf(shown) }, ...parts.map((part) => part(shown)))
    return { body: JSON.stringify(body), type: 'application/json; charset=utf-8' }
  },
}))

function pageOf({ view: { page }, url }: Shown) {
  const { id, name, time_zone, updated_at } = page
  return { id: String(id), name, url, time_zone, updated_at: timeIn(time_zone)(updated_at) }
}
