import { z } from 'zod'
import { withReports } from '../../incidents/postmortem-presenter.ts'
import { presentPublic as presentIncidents } from '../../incidents/presenter.ts'
import { PublicIncident } from '../../incidents/schema.ts'
import { incidentSubject } from '../../incidents/subject.ts'
import { operation } from '../../kernel/operation.ts'
import { presentPublic as presentMaintenances } from '../../maintenances/presenter.ts'
import { PublicMaintenance } from '../../maintenances/schema.ts'
import { maintenanceSubject } from '../../maintenances/subject.ts'
import { SiteView, siteOf } from './site.ts'
import { translatedIn } from './translated.ts'

const IncidentPage = SiteView.extend({ incident: PublicIncident })
export type IncidentPage = z.output<typeof IncidentPage>

const input = z.strictObject({ locale: z.string().optional() })

export const getIncidentPage = operation({
  name: 'public.incident_page',
  area: 'incidents',
  permission: 'public',
  summary: 'Get all data of the page of an incident',
  subject: incidentSubject,
  input,
  output: IncidentPage,
  run: async (ctx, { locale }, record) => {
    const { tx } = ctx
    const { site, reading } = await siteOf(ctx, locale)
    const [incident] = await withReports(tx, await presentIncidents(tx, [record], reading), reading)
    const translated = await translatedIn(tx, reading, { incidents: [incident!] })
    return { ...site, translated: { ...site.translated, ...translated }, incident: incident! }
  },
})

const MaintenancePage = SiteView.extend({ maintenance: PublicMaintenance })
export type MaintenancePage = z.output<typeof MaintenancePage>

export const getMaintenancePage = operation({
  name: 'public.maintenance_page',
  area: 'maintenance',
  permission: 'public',
  summary: 'Get all data of the page of a maintenance',
  subject: maintenanceSubject,
  input,
  output: MaintenancePage,
  run: async (ctx, { locale }, record) => {
    const { tx } = ctx
    const { site, reading } = await siteOf(ctx, locale)
    const [maintenance] = await presentMaintenances(tx, [record], reading)
    const translated = await translatedIn(tx, reading, { maintenances: [maintenance!] })
    return { ...site, translated: { ...site.translated, ...translated }, maintenance: maintenance! }
  },
})
