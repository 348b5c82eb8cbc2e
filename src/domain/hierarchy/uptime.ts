import { z } from 'zod'
import { eventsSince } from '../../persistence/status-history.ts'
import { operation } from '../kernel/operation.ts'
import { momentOut } from '../kernel/schema.ts'
import { settingsOf } from '../settings/stored.ts'
import { statusTypes } from '../vocabulary/lookup.ts'
import { MAINTENANCE, operationalStatus, worst } from '../vocabulary/rules.ts'
import { itemSubject } from './subject.ts'
import { dateIn, daysBack, type Stretch, startOfDay, uptimeOf } from './uptime-rules.ts'

const figures = {
  total_seconds: z.int().describe('The seconds since the `start_date` of the item'),
  downtime_seconds: z.int(),
  uptime_percent: z.number().nullable().describe('null if no time counts'),
  worst_status: z.string().nullable(),
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
    'Computed from the status events: 1 minus the seconds in non-operational statuses, each times its `uptime_weight`, divided by the seconds since the start of the item.',
  subject: itemSubject,
  input: z.strictObject({ days: z.coerce.number().int().min(1).max(365).default(90) }),
  output: UptimeResource,
  run: async ({ tx, now }, { days }, item) => {
    const settings = await settingsOf(tx)
    const zone = settings.reliability_policy_timezone
    const types = await statusTypes(tx)
    const weights = new Map(types.map((type) => [type.key, type.is_operational ? 0 : type.uptime_weight]))
    if (settings.reliability_maintenance_counts_as_uptime) weights.set(MAINTENANCE, 0)
    const dates = daysBack(dateIn(now.getTime(), zone), days)
    const starts = dates.map((date) => startOfDay(date, zone))
    const from = starts[0]!
    const [known] = await eventsSince(tx, [item.id], { since: new Date(from), until: now, now })
    const measure = (stretch: Stretch) =>
      uptimeOf(
        known?.events ?? [],
        known?.before ?? operationalStatus(types),
        stretch,
        item.start_date.getTime(),
        (status) => weights.get(status) ?? 1,
        (list) => worst(types, list),
      )
    return {
      item_id: item.id,
      policy_label: settings.reliability_policy_label || undefined,
      target_percent: settings.reliability_target_uptime_percent,
      timezone: zone,
      start_time: new Date(from).toISOString(),
      end_time: now.toISOString(),
      ...measure({ from, to: now.getTime() }),
      days: dates.map((date, index) => ({
        date,
        ...measure({
          from: starts[index]!,
          to: Math.min(starts[index + 1] ?? Number.POSITIVE_INFINITY, now.getTime()),
        }),
      })),
    }
  },
})
