import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { componentTimes } from '../../persistence/components.ts'
import { Incident } from '../../persistence/entities/incident.ts'
import { Maintenance } from '../../persistence/entities/maintenance.ts'
import { lastChangeOf } from '../../persistence/page-changes.ts'
import { PublicComponent, presentComponents } from '../hierarchy/public.ts'
import { withReports } from '../incidents/postmortem-presenter.ts'
import { presentPublic as presentIncidents } from '../incidents/presenter.ts'
import { PublicIncident } from '../incidents/schema.ts'
import type { Context } from '../kernel/context.ts'
import { operation } from '../kernel/operation.ts'
import { momentOut } from '../kernel/schema.ts'
import { presentPublic as presentMaintenances } from '../maintenances/presenter.ts'
import { PublicMaintenance } from '../maintenances/schema.ts'
import { openIncidents } from '../pages/summary/current-records.ts'
import { siteOf } from '../pages/views/site.ts'

/** Which records each answer of the Statuspage API has. */
const contents = {
  summary: { incidents: 'open', maintenances: 'ahead' },
  status: { incidents: 'open', maintenances: 'active' },
  components: { incidents: 'none', maintenances: 'none' },
  incidents: { incidents: 'newest', maintenances: 'none' },
  unresolved: { incidents: 'open', maintenances: 'none' },
  maintenances: { incidents: 'none', maintenances: 'newest' },
  upcoming: { incidents: 'none', maintenances: 'upcoming' },
  active: { incidents: 'none', maintenances: 'active' },
} as const

type Incidents = (typeof contents)[keyof typeof contents]['incidents']
type Maintenances = (typeof contents)[keyof typeof contents]['maintenances']

const StatuspageView = z.strictObject({
  page: z.strictObject({ id: z.int(), name: z.string(), time_zone: z.string(), updated_at: momentOut() }),
  status_types: z.array(z.strictObject({ key: z.string(), is_operational: z.boolean(), display_order: z.int() })),
  items: z.array(PublicComponent.extend({ created_at: momentOut(), updated_at: momentOut(), start_date: momentOut() })),
  incidents: z.array(PublicIncident),
  maintenances: z.array(PublicMaintenance),
})
export type StatuspageView = z.output<typeof StatuspageView>

export const getStatuspageView = operation({
  name: 'public.statuspage',
  area: 'incidents',
  permission: 'public',
  summary: 'Get the data of an answer of the Statuspage API',
  input: z.strictObject({ answer: z.enum(Object.keys(contents) as (keyof typeof contents)[]) }),
  output: StatuspageView,
  run: async (ctx, { answer }) => {
    const { tx, page } = ctx
    const { site, reading } = await siteOf(ctx, undefined)
    const times = await componentTimes(tx)
    const { incidents, maintenances } = contents[answer]
    const shownIncidents = await presentIncidents(tx, await findIncidents(tx, incidents), reading)
    return {
      page: {
        ...{ id: page.id, name: site.name, time_zone: site.time_zone },
        updated_at: (await lastChangeOf(tx, page.id)).toISOString(),
      },
      status_types: site.status_types.map(({ key, is_operational, display_order }) => ({
        ...{ key, is_operational, display_order },
      })),
      items: (await presentComponents(tx, reading)).map((item) => {
        const { created_at, updated_at, start_date } = times.get(item.id)!
        const [created, updated, start] = [created_at, updated_at, start_date].map((moment) => moment.toISOString())
        return { ...item, created_at: created!, updated_at: updated!, start_date: start! }
      }),
      incidents: await withReports(tx, shownIncidents, reading),
      maintenances: await presentMaintenances(tx, await findMaintenances(ctx, maintenances), reading),
    }
  },
})

/** As many records as the original lists. */
const MOST = 50

async function findIncidents(tx: EntityManager, wanted: Incidents): Promise<Incident[]> {
  if (wanted === 'none') return []
  if (wanted === 'open') return openIncidents(tx)
  return tx.find(Incident, {}, { orderBy: [{ started_at: 'desc' }, { id: 'desc' }], limit: MOST })
}

async function findMaintenances({ tx, now }: Context, wanted: Maintenances): Promise<Maintenance[]> {
  if (wanted === 'none') return []
  if (wanted === 'newest') {
    const newest = { orderBy: { listed_at: 'desc', id: 'desc' }, limit: MOST } as const
    return tx.find(Maintenance, { status: { $ne: 'cancelled' } }, newest)
  }
  const soonest = { orderBy: { listed_at: 'asc', id: 'asc' }, limit: MOST } as const
  const active =
    wanted === 'upcoming' ? [] : await tx.find(Maintenance, { status: 'in_progress', ended_at: null }, soonest)
  if (wanted === 'active') return active
  // A maintenance that was neither started nor cancelled before its end is not upcoming.
  const goesOn = { $or: [{ scheduled_end_time: null }, { scheduled_end_time: { $gt: now } }] }
  return [...active, ...(await tx.find(Maintenance, { status: 'scheduled', ended_at: null, ...goesOn }, soonest))]
}
