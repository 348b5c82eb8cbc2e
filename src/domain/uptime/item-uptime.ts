import { z } from 'zod'
import { eventsSince } from '../../persistence/status-history.ts'
import { itemSubject } from '../hierarchy/subject.ts'
import { operation } from '../kernel/operation.ts'
import { momentOut } from '../kernel/schema.ts'
import { settingsOf } from '../settings/stored.ts'
import { statusTypes } from '../vocabulary/lookup.ts'
import { operationalStatus } from '../vocabulary/rules.ts'
import { daysUntil } from './day-rules.ts'
import { scaleOf } from './scale-rules.ts'
import { secondsBetween, sumOf, uptimeOf } from './uptime-rules.ts'

const figures = {
  total_seconds: z.int().describe('The seconds since the `start_date` of the item'),
  downtime_seconds: z.int().describe('Rounded up to a whole second'),
  uptime_percent: z.number().nullable().describe('Rounded down to four decimals; null if no time counts'),
  worst_status: z.string().nullable(),
  seconds: z.record(z.string(), z.int()).describe('The seconds in each status'),
}

const UptimeResource = z
  .strictObject({
    item_id: z.int(),
    policy_label: z.string().optional(),
    target_percent: z.number().nullable().optional(),
    timezone: z.string(),
    start_time: momentOut(),
    end_time: momentOut(),
    ...figures,
    days: z.array(z.strictObject({ date: z.string().describe('The day in the timezone of the policy'), ...figures })),
  })
  .meta({ id: 'Uptime' })

export const getUptime = operation({
  name: 'items.uptime',
  area: 'hierarchy',
  permission: 'read',
  summary: 'Get the uptime of an item, in total and by day',
  description:
    'Computed from the status events: 1 minus the seconds in non-operational statuses, each times its `uptime_weight`, divided by the seconds since the start of the item. All times are cut to whole seconds.',
  subject: itemSubject,
  input: z.strictObject({ days: z.coerce.number().int().min(1).max(365).default(90) }),
  output: UptimeResource,
  run: async ({ tx, now }, { days }, item) => {
    const settings = await settingsOf(tx)
    const zone = settings.reliability_policy_timezone
    const types = await statusTypes(tx)
    const scale = scaleOf(types, { maintenanceCountsAsUp: settings.reliability_maintenance_counts_as_uptime })
    const { dates, bounds } = daysUntil(now.getTime(), days, zone)
    const since = new Date(bounds[0]!)
    const [known] = await eventsSince(tx, [item.id], { since, until: now, now })
    const course = { first: known?.before ?? operationalStatus(types), points: known?.events ?? [] }
    const parts = secondsBetween(course, bounds, item.start_date.getTime())
    return {
      item_id: item.id,
      policy_label: settings.reliability_policy_label || undefined,
      target_percent: settings.reliability_target_uptime_percent,
      timezone: zone,
      start_time: since.toISOString(),
      end_time: now.toISOString(),
      ...uptimeOf(sumOf(parts), scale),
      days: dates.map((date, index) => ({ date, ...uptimeOf(parts[index]!, scale) })),
    }
  },
})
