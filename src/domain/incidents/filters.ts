import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql'
import { z } from 'zod'
import type { Incident } from '../../persistence/entities/incident.ts'
import { incidentsOfItem } from '../../persistence/incidents.ts'
import { idInPath, moment } from '../kernel/schema.ts'
import { containsText } from '../translations/search.ts'
import { requireStatusFilter, statusTypes } from '../vocabulary/lookup.ts'
import { RESOLVED } from '../vocabulary/rules.ts'

/** The filters of a list of incidents. */
export const filterFields = {
  status: z.string().max(50).optional().describe('Only incidents with this status; `resolved` for resolved incidents'),
  state: z.enum(['open', 'resolved']).optional(),
  lifecycle_stage_id: idInPath().optional(),
  item_id: idInPath().optional().describe('Only incidents that have or had an impact on this item'),
  started_after: moment().optional(),
  started_before: moment().optional(),
  search: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only incidents whose title, description or free text contains this text, in any published language'),
}

const filters = z.object(filterFields)
export type Filters = z.output<typeof filters>

const searched = ['title', 'description', 'affected_items_freetext'] as const

/** `translated`: whether the search includes published translations. */
export async function whereOf(
  tx: EntityManager,
  asked: Filters,
  { translated }: { translated: boolean },
): Promise<FilterQuery<Incident>> {
  const { status, state, lifecycle_stage_id, item_id, started_after, started_before, search } = asked
  const parts: FilterQuery<Incident>[] = []
  if (status !== undefined) {
    requireStatusFilter(await statusTypes(tx), status, [RESOLVED])
    parts.push({ status })
  }
  if (state !== undefined) parts.push({ resolved_at: state === 'open' ? null : { $ne: null } })
  if (lifecycle_stage_id !== undefined) parts.push({ lifecycle_stage_id })
  if (item_id !== undefined) parts.push({ id: { $in: await incidentsOfItem(tx, item_id) } })
  if (started_after !== undefined) parts.push({ started_at: { $gte: new Date(started_after) } })
  if (started_before !== undefined) parts.push({ started_at: { $lt: new Date(started_before) } })
  if (search !== undefined) parts.push(containsText('incident', searched, search, translated))
  return parts.length > 0 ? { $and: parts } : {}
}
