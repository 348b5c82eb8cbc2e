import { z } from 'zod'
import { componentRows } from '../../../persistence/components.ts'
import { Incident } from '../../../persistence/entities/incident.ts'
import { Maintenance } from '../../../persistence/entities/maintenance.ts'
import { summariesIn } from '../../hierarchy/presenter.ts'
import { HierarchyItemSummary } from '../../hierarchy/schema.ts'
import { whereOf as incidentsWhere } from '../../incidents/filters.ts'
import { presentPublicCompact as presentIncidents } from '../../incidents/presenter.ts'
import { PublicIncident } from '../../incidents/schema.ts'
import { operation } from '../../kernel/operation.ts'
import { whereOf as maintenancesWhere } from '../../maintenances/filters.ts'
import { presentPublicCompact as presentMaintenances } from '../../maintenances/presenter.ts'
import { PublicMaintenance } from '../../maintenances/schema.ts'
import { folded } from './search-rules.ts'
import { SiteView, siteOf } from './site.ts'
import { translatedIn } from './translated.ts'

const SearchPage = SiteView.extend({
  query: z.string(),
  items: z.array(HierarchyItemSummary),
  incidents: z.array(PublicIncident),
  maintenances: z.array(PublicMaintenance),
})
export type SearchPage = z.output<typeof SearchPage>

const MOST = 25

export const getSearchPage = operation({
  name: 'public.search_page',
  area: 'incidents',
  permission: 'public',
  summary: 'Find items, incidents and maintenances of the page by words',
  input: z.strictObject({ locale: z.string().optional(), query: z.string().max(200) }),
  output: SearchPage,
  run: async (ctx, { locale, query }) => {
    const { tx } = ctx
    const { site, reading } = await siteOf(ctx, locale)
    const nothing = { ...site, query, items: [], incidents: [], maintenances: [] }
    if (query === '') return nothing
    const rows = await componentRows(tx)
    const { words, summaryOf } = await summariesIn(tx, rows, reading)
    const wanted = folded(query)
    const items = rows.filter((row) =>
      [row, words('item', row.id)].some((texts) =>
        folded(`${texts.name ?? ''} ${texts.description ?? ''}`).includes(wanted),
      ),
    )
    const latest = { limit: MOST } as const
    const incidents = await tx.find(Incident, await incidentsWhere(tx, { search: query }, reading), {
      ...latest,
      orderBy: [{ started_at: 'desc' }, { id: 'desc' }],
    })
    const maintenances = await tx.find(Maintenance, await maintenancesWhere(tx, { search: query }, reading), {
      ...latest,
      orderBy: [{ listed_at: 'desc' }, { id: 'desc' }],
    })
    return {
      ...nothing,
      translated: { ...site.translated, ...(await translatedIn(tx, reading, { incidents, maintenances, items })) },
      items: items.slice(0, MOST).map(summaryOf),
      incidents: await presentIncidents(tx, incidents, reading),
      maintenances: (await presentMaintenances(tx, maintenances, reading)).map((shown, index) => ({
        ...shown,
        started_at: maintenances[index]?.started_at?.toISOString(),
      })),
    }
  },
})
