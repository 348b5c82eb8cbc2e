import { z } from 'zod'
import { HierarchyItem } from '../../persistence/entities/hierarchy-item.ts'
import { Incident } from '../../persistence/entities/incident.ts'
import { Page } from '../../persistence/entities/page.ts'
import { presentPublic } from '../incidents/presenter.ts'
import { PublicIncident } from '../incidents/schema.ts'
import { operation } from '../kernel/operation.ts'
import { momentOut } from '../kernel/schema.ts'
import { readingIn } from '../translations/languages.ts'
import { readIn } from '../translations/schema.ts'
import { statusTypes } from '../vocabulary/lookup.ts'
import { StatusTypeResource } from '../vocabulary/schema.ts'

const RESOLVED_FOR_MS = 14 * 24 * 60 * 60 * 1000
const RESOLVED_AT_MOST = 20
/** A page on which more than this is open at once has been flooded, and must still be quick to read. */
const OPEN_AT_MOST = 50

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
    language: z.string().describe('What the page is read in'),
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
  })
  .meta({ id: 'PageView' })
export type PageView = z.output<typeof PageView>

export const getHome = operation({
  name: 'public.home',
  area: 'incidents',
  permission: 'public',
  summary: 'Get everything that the front of the page shows',
  input: z.strictObject(readIn),
  output: PageView,
  run: async ({ tx, page: { id }, now }, { locale }) => {
    const { name, public_slug } = await tx.findOneOrFail(Page, { id })
    const types = await statusTypes(tx)
    const order = [{ depth: 'asc' as const }, { display_order: 'asc' as const }, { id: 'asc' as const }]
    const items = await tx.find(HierarchyItem, { archived_at: null }, { orderBy: order })
    const open = await tx.find(
      Incident,
      { resolved_at: null },
      { orderBy: [{ started_at: 'desc' }, { id: 'desc' }], limit: OPEN_AT_MOST },
    )
    const resolved = await tx.find(
      Incident,
      { resolved_at: { $gte: new Date(now.getTime() - RESOLVED_FOR_MS) } },
      { orderBy: [{ resolved_at: 'desc' }, { id: 'desc' }], limit: RESOLVED_AT_MOST },
    )
    const reading = await readingIn(tx, locale)
    const full = await presentPublic(tx, [...open, ...resolved], reading)
    return {
      name,
      slug: public_slug,
      language: reading.language,
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
      open_total: open.length < OPEN_AT_MOST ? open.length : await tx.count(Incident, { resolved_at: null }),
      resolved_incidents: full.slice(open.length),
    }
  },
})
