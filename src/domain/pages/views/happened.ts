import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { Incident } from '../../../persistence/entities/incident.ts'
import { Maintenance } from '../../../persistence/entities/maintenance.ts'
import { presentPublicCompact as presentIncidents } from '../../incidents/presenter.ts'
import { presentPublicCompact as presentMaintenances } from '../../maintenances/presenter.ts'
import type { Reading } from '../../translations/languages.ts'
import type { PageHistory } from '../../uptime/page-history.ts'

const titles = () => z.array(z.strictObject({ id: z.int(), title: z.string() }))

/** The titles of what the days of a history name. */
export const Happened = z.strictObject({ incidents: titles(), maintenances: titles() })
export type Happened = z.output<typeof Happened>

/** The newest records count: a page with more of them in its bars has links by number. */
const MOST = 500

export async function happenedIn(tx: EntityManager, reading: Reading, history: PageHistory | null): Promise<Happened> {
  const named = (of: 'incident_ids' | 'maintenance_ids') => {
    const ids = new Set<number>()
    for (const { days } of history?.items ?? []) {
      for (const day of days) for (const id of day[of]) ids.add(id)
    }
    return [...ids].sort((a, b) => b - a).slice(0, MOST)
  }
  const incidentIds = named('incident_ids')
  const maintenanceIds = named('maintenance_ids')
  const incidents = incidentIds.length > 0 ? await tx.find(Incident, { id: { $in: incidentIds } }) : []
  const maintenances = maintenanceIds.length > 0 ? await tx.find(Maintenance, { id: { $in: maintenanceIds } }) : []
  const title = ({ id, title }: { id: number; title: string }) => ({ id, title })
  return {
    incidents: (await presentIncidents(tx, incidents, reading)).map(title),
    maintenances: (await presentMaintenances(tx, maintenances, reading)).map(title),
  }
}
