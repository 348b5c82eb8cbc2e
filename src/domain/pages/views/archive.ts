import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { Incident } from '../../../persistence/entities/incident.ts'
import { Maintenance } from '../../../persistence/entities/maintenance.ts'
import { presentPublic as presentIncidents } from '../../incidents/presenter.ts'
import { PublicIncident } from '../../incidents/schema.ts'
import { operation } from '../../kernel/operation.ts'
import { presentPublic as presentMaintenances } from '../../maintenances/presenter.ts'
import { PublicMaintenance } from '../../maintenances/schema.ts'
import { calendarOf } from '../../uptime/day-rules.ts'
import { monthAfter } from './month-rules.ts'
import { SiteView, siteOf } from './site.ts'
import { translatedIn } from './translated.ts'

const ArchivePage = SiteView.extend({
  month: z.string().describe('Such as 2026-10, in the time zone of the page'),
  first_month: z.string().describe('The month of the first record'),
  last_month: z.string().describe('The current month'),
  incidents: z.array(PublicIncident).describe('Those that started in the month, newest first'),
  maintenances: z.array(PublicMaintenance).describe('Those of the month that are over, newest first'),
  left_out: z.int().describe('How many records of the month are not listed'),
})
export type ArchivePage = z.output<typeof ArchivePage>

/** For a month with a flood of incidents. */
const MOST = 200

export const getArchivePage = operation({
  name: 'public.archive_page',
  area: 'incidents',
  permission: 'public',
  summary: 'Get all data of the page of past incidents and maintenances of a month',
  input: z.strictObject({ locale: z.string().optional(), month: z.string().optional() }),
  output: ArchivePage,
  run: async (ctx, { locale, month: asked }) => {
    const { tx, now } = ctx
    const { site, reading } = await siteOf(ctx, locale)
    const { dateOf, startOf } = calendarOf(site.time_zone)
    const last_month = dateOf(now.getTime()).slice(0, 7)
    const month = asked ?? last_month
    const within = { $gte: new Date(startOf(`${month}-01`)), $lt: new Date(startOf(`${monthAfter(month)}-01`)) }
    const started = { started_at: within }
    const over = { listed_at: within, ended_at: { $ne: null } }
    const incidents = await tx.find(Incident, started, {
      orderBy: [{ started_at: 'desc' }, { id: 'desc' }],
      limit: MOST,
    })
    const maintenances = await tx.find(Maintenance, over, {
      orderBy: [{ listed_at: 'desc' }, { id: 'desc' }],
      limit: MOST,
    })
    const left = [
      await leftOut(incidents.length, () => tx.count(Incident, started)),
      await leftOut(maintenances.length, () => tx.count(Maintenance, over)),
    ]
    const first = await firstMoment(tx)
    return {
      ...site,
      translated: { ...site.translated, ...(await translatedIn(tx, reading, { incidents, maintenances })) },
      ...{ month, last_month, first_month: first ? dateOf(first.getTime()).slice(0, 7) : last_month },
      incidents: await presentIncidents(tx, incidents, reading),
      maintenances: await presentMaintenances(tx, maintenances, reading),
      left_out: left[0]! + left[1]!,
    }
  },
})

/** How many rows were left out; counted only if the list is full. */
const leftOut = async (shown: number, count: () => Promise<number>) => (shown < MOST ? 0 : (await count()) - shown)

async function firstMoment(tx: EntityManager): Promise<Date | undefined> {
  const [incident] = await tx.find(Incident, {}, { orderBy: [{ started_at: 'asc' }], limit: 1 })
  const over = { ended_at: { $ne: null } }
  const [maintenance] = await tx.find(Maintenance, over, { orderBy: [{ listed_at: 'asc' }], limit: 1 })
  const moments = [incident?.started_at, maintenance?.listed_at].filter((moment) => moment !== undefined)
  return moments.sort((a, b) => a.getTime() - b.getTime()).at(0)
}
