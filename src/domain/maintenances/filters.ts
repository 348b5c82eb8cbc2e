import type { EntityManager, FilterQuery } from '@mikro-orm/postgresql'
import { z } from 'zod'
import type { Maintenance } from '../../persistence/entities/maintenance.ts'
import { MaintenanceItem } from '../../persistence/entities/maintenance-item.ts'
import { idInPath, moment } from '../kernel/schema.ts'
import { containsText } from '../translations/search.ts'
import { statuses } from './rules.ts'

/** The filters of a list of maintenances. */
export const filterFields = {
  status: z.enum(statuses).optional(),
  state: z.enum(['open', 'over']).optional().describe('`open`: scheduled or in progress'),
  lifecycle_stage_id: idInPath().optional(),
  item_id: idInPath().optional().describe('Only maintenances that affect this item'),
  series_id: idInPath().optional().describe('Only the windows of this series'),
  starts_after: moment().optional().describe('Only maintenances that are scheduled to start at this time or later'),
  starts_before: moment().optional().describe('Only maintenances that are scheduled to start before this time'),
  search: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Only maintenances whose title, description or free text contains this text, in any published language'),
}

const filters = z.object(filterFields)

const searched = ['title', 'description', 'affected_items_freetext'] as const

/** `translated`: whether the search includes published translations. */
export async function whereOf(
  tx: EntityManager,
  asked: z.output<typeof filters>,
  { translated }: { translated: boolean },
): Promise<FilterQuery<Maintenance>> {
  const { status, state, lifecycle_stage_id, item_id, series_id, starts_after, starts_before, search } = asked
  const parts: FilterQuery<Maintenance>[] = []
  if (status !== undefined) parts.push({ status })
  if (state !== undefined) parts.push({ ended_at: state === 'open' ? null : { $ne: null } })
  if (lifecycle_stage_id !== undefined) parts.push({ lifecycle_stage_id })
  if (item_id !== undefined) {
    const affected = await tx.find(MaintenanceItem, { item_id }, { fields: ['maintenance_id'] })
    parts.push({ id: { $in: affected.map(({ maintenance_id }) => maintenance_id) } })
  }
  if (series_id !== undefined) parts.push({ series_id })
  if (starts_after !== undefined) parts.push({ scheduled_start_time: { $gte: new Date(starts_after) } })
  if (starts_before !== undefined) parts.push({ scheduled_start_time: { $lt: new Date(starts_before) } })
  if (search !== undefined) parts.push(containsText('maintenance', searched, search, translated))
  return parts.length > 0 ? { $and: parts } : {}
}
