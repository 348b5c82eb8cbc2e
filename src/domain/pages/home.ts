import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { componentRows } from '../../persistence/components.ts'
import { Incident } from '../../persistence/entities/incident.ts'
import { IncidentReport } from '../../persistence/entities/incident-report.ts'
import { Page } from '../../persistence/entities/page.ts'
import { withReports } from '../incidents/postmortem-presenter.ts'
import { presentPublic } from '../incidents/presenter.ts'
import { PublicIncident } from '../incidents/schema.ts'
import { operation } from '../kernel/operation.ts'
import { momentOut } from '../kernel/schema.ts'
import { PublicMaintenance } from '../maintenances/schema.ts'
import { dateLocale } from '../settings/rules.ts'
import { settingsOf } from '../settings/stored.ts'
import { type Reading, readingIn } from '../translations/languages.ts'
import { wordsFor } from '../translations/read.ts'
import { readIn } from '../translations/schema.ts'
import { statusTypes } from '../vocabulary/lookup.ts'
import { StatusTypeResource } from '../vocabulary/schema.ts'
import { maintenancesOf, openIncidents, openTotal } from './summary/current-records.ts'

const RESOLVED_FOR_MS = 14 * 24 * 60 * 60 * 1000
const RESOLVED_AT_MOST = 20

const PageItem = z.strictObject({
  id: z.int(),
  parent_id: z.int().optional(),
  name: z.string(),
  description: z.string().optional(),
  status: z.string(),
  depth: z.int(),
  display_order: z.int(),
})

export const PageView = z
  .strictObject({
    name: z.string(),
    slug: z.string(),
    language: z.string().describe('The language of the answer'),
    original_language: z.string().describe('The language of records without a translation'),
    translated: z
      .record(z.string(), z.array(z.string()))
      .describe(
        'The translated fields of each record, such as `incident:7`; all other fields are in `original_language`',
      ),
    date_locale: z.string().describe('The locale of dates and times'),
    primary_message: z.enum(['description', 'latest_update']).describe('What an open incident shows first'),
    generated_at: momentOut(),
    status_types: z.array(
      StatusTypeResource.pick({
        key: true,
        name: true,
        icon: true,
        color: true,
        is_operational: true,
        display_order: true,
      }),
    ),
    items: z.array(PageItem),
    open_incidents: z.array(PublicIncident),
    open_total: z.int(),
    resolved_incidents: z.array(PublicIncident),
    active_maintenances: z.array(PublicMaintenance),
    upcoming_maintenances: z.array(PublicMaintenance).describe('Within homepage_upcoming_maintenance_days'),
  })
  .meta({ id: 'PageView' })
export type PageView = z.output<typeof PageView>

export const getHome = operation({
  name: 'public.home',
  area: 'incidents',
  permission: 'public',
  summary: 'Get all data of the front page',
  input: z.strictObject(readIn),
  output: PageView,
  run: async ({ tx, page: { id }, now }, { locale }) => {
    const { name, public_slug } = await tx.findOneOrFail(Page, { id })
    const types = await statusTypes(tx)
    const items = await componentRows(tx)
    const open = await openIncidents(tx)
    const resolved = await tx.find(
      Incident,
      { resolved_at: { $gte: new Date(now.getTime() - RESOLVED_FOR_MS) } },
      { orderBy: [{ resolved_at: 'desc' }, { id: 'desc' }], limit: RESOLVED_AT_MOST },
    )
    const reading = await readingIn(tx, locale)
    const settings = await settingsOf(tx)
    const full = await withReports(tx, await presentPublic(tx, [...open, ...resolved], reading), reading)
    const maintenances = await maintenancesOf(tx, { now, reading, days: settings.homepage_upcoming_maintenance_days })
    return {
      name: settings.site_title || name,
      slug: public_slug,
      language: reading.language,
      original_language: settings.document_locale,
      translated: await translatedIn(tx, reading, full, Object.values(maintenances).flat()),
      date_locale: dateLocale(settings.datetime_locale, reading.language, settings.document_locale),
      primary_message: settings.incident_primary_message_mode,
      generated_at: now.toISOString(),
      status_types: types.map(({ key, name, icon, color, is_operational, display_order }) => ({
        key,
        name,
        icon,
        color,
        is_operational,
        display_order,
      })),
      items: items.map((item) => ({
        id: item.id,
        parent_id: item.parent_id ?? undefined,
        name: item.name,
        description: item.description ?? undefined,
        status: item.status,
        depth: item.depth,
        display_order: item.display_order,
      })),
      open_incidents: full.slice(0, open.length),
      open_total: await openTotal(tx, open.length),
      resolved_incidents: full.slice(open.length),
      ...maintenances,
    }
  },
})

type Shown = { id: number; updates?: { id: number }[] }[]

/** The translated fields of these records, by kind and id; a report has the id of its incident. */
async function translatedIn(tx: EntityManager, reading: Reading, incidents: Shown, maintenances: Shown) {
  if (!reading.translated) return {}
  const below = (records: Shown) => records.flatMap(({ updates = [] }) => updates)
  const shown = { incident_id: { $in: incidents.map(({ id }) => id) }, published_at: { $ne: null } }
  const reports = await tx.find(IncidentReport, shown)
  const records = {
    incident: incidents,
    incident_update: below(incidents),
    maintenance: maintenances,
    maintenance_update: below(maintenances),
    incident_report: reports,
  }
  const words = await wordsFor(tx, reading, records)
  const incidentOf = new Map(reports.map(({ id, incident_id }) => [id, incident_id]))
  const entries = Object.entries(records).flatMap(([kind, list]) =>
    list.map(({ id }) => {
      const shownAt = kind === 'incident_report' ? incidentOf.get(id) : id
      return [`${kind}:${shownAt}`, Object.keys(words(kind as keyof typeof records, id))] as const
    }),
  )
  return Object.fromEntries(entries.filter(([, fields]) => fields.length > 0))
}
