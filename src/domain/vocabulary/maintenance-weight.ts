import { StatusType } from '../../persistence/entities/status-type.ts'
import type { Context } from '../kernel/context.ts'
import type { Settings } from '../settings/schema.ts'
import { MAINTENANCE } from './rules.ts'

type Switch = Pick<Settings, 'reliability_maintenance_counts_as_uptime'>

/** The switch changes the weight of maintenance for all of the past, so readers see since when. */
export async function noteMaintenanceWeight({ tx, now }: Context, before: Switch, after: Switch): Promise<void> {
  if (before.reliability_maintenance_counts_as_uptime === after.reliability_maintenance_counts_as_uptime) return
  const type = await tx.findOne(StatusType, { key: MAINTENANCE })
  if (type && type.uptime_weight > 0) type.weight_changed_at = now
}
