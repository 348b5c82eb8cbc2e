import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { labelsFor } from '../../../languages/labels.ts'
import { lastEndWithoutItems, newestChanges } from '../../../persistence/status-times.ts'
import { PublicComponent, presentComponents } from '../../hierarchy/public.ts'
import { withReports } from '../../incidents/postmortem-presenter.ts'
import { presentPublic } from '../../incidents/presenter.ts'
import { PublicIncident } from '../../incidents/schema.ts'
import { operation } from '../../kernel/operation.ts'
import { momentOut } from '../../kernel/schema.ts'
import { PublicMaintenance } from '../../maintenances/schema.ts'
import { settingsOf } from '../../settings/stored.ts'
import { readingIn } from '../../translations/languages.ts'
import { languageInWords, readIn } from '../../translations/schema.ts'
import { statusTypesIn } from '../../vocabulary/names.ts'
import { MAINTENANCE } from '../../vocabulary/rules.ts'
import { statusNameIn } from '../../vocabulary/status-name-rules.ts'
import { summarize } from '../operations.ts'
import { StatusPageSummary } from '../schema.ts'
import { maintenancesOf, openIncidents } from './current-records.ts'
import { sentenceOf } from './sentence-rules.ts'
import { statusSince } from './since-rules.ts'
import { stateOf } from './state-rules.ts'

const PageSummary = z
  .strictObject({
    page: StatusPageSummary,
    status: z.strictObject({
      key: z.string().describe('The worst status of the items, the open incidents and the maintenances in progress'),
      name: z
        .string()
        .describe(
          'In the language of the answer, unless the page has its own name for the status without a translation',
        ),
      sentence: z.string().describe('The state of the page in one sentence, in the language of the answer'),
      since: momentOut()
        .nullable()
        .describe('Since when the page has this status; null if the page never had another one'),
    }),
    items: z.array(PublicComponent).describe('Level by level in display order'),
    incidents: z.array(PublicIncident).describe('The open incidents with their timelines, newest first: at most 50'),
    maintenances: z.strictObject({
      active: z.array(PublicMaintenance),
      upcoming: z
        .array(PublicMaintenance)
        .describe('Within `homepage_upcoming_maintenance_days`; of each series only the next window'),
    }),
    generated_at: momentOut().describe(
      'When the service computed the answer, which stays until something else in it changes',
    ),
  })
  .meta({ id: 'PageSummary' })

export const getPageSummary = operation({
  name: 'public.summary',
  area: 'incidents',
  permission: 'public',
  summary: 'Get the present state of the page: its status, items, open incidents and maintenances',
  description: languageInWords,
  input: z.strictObject(readIn),
  output: PageSummary,
  run: async ({ tx, now, page, services }, { locale }) => {
    const reading = await readingIn(tx, locale)
    const settings = await settingsOf(tx)
    const status_types = await statusTypesIn(tx, reading)
    const items = await presentComponents(tx, reading)
    const incidents = await withReports(tx, await presentPublic(tx, await openIncidents(tx), reading), reading)
    const days = settings.homepage_upcoming_maintenance_days
    const { active_maintenances, upcoming_maintenances } = await maintenancesOf(tx, { now, reading, days })
    const current = { open_incidents: incidents, active_maintenances }
    const state = stateOf({ status_types, items, ...current })
    const labels = labelsFor(reading.language)
    const own = status_types.find(({ key }) => key === state.status)?.name
    const since = await sinceOf(tx, { ...current, status: state.status, status_types })
    return {
      page: summarize({ page, services }),
      status: {
        key: state.status,
        name: statusNameIn(labels, state.status, own),
        sentence: sentenceOf(state, status_types, labels),
        since: since === null ? null : new Date(since).toISOString(),
      },
      ...{ items, incidents },
      maintenances: { active: active_maintenances, upcoming: upcoming_maintenances },
      generated_at: now.toISOString(),
    }
  },
})

interface Current {
  status: string
  status_types: { key: string; display_order: number; is_operational: boolean }[]
  open_incidents: { status: string; started_at: string | null }[]
  active_maintenances: { started_at?: string | null }[]
}

async function sinceOf(
  tx: EntityManager,
  { status, status_types, open_incidents, active_maintenances }: Current,
): Promise<number | null> {
  const severities = new Map(status_types.map((type) => [type.key, type.display_order]))
  const isCalm = status_types.some((type) => type.key === status && type.is_operational)
  const begun = [
    ...open_incidents.filter((incident) => incident.status === status),
    ...(status === MAINTENANCE ? active_maintenances : []),
  ]
  const starts = begun.flatMap(({ started_at }) => (started_at ? [Date.parse(started_at)] : []))
  const lastEnd = isCalm ? await lastEndWithoutItems(tx) : null
  return statusSince({
    status,
    severityOf: (key) => severities.get(key) ?? -1,
    changes: await newestChanges(tx),
    starts: isCalm ? [] : starts,
    ends: lastEnd === null ? [] : [lastEnd],
  })
}
