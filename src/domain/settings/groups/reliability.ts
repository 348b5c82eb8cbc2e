import { z } from 'zod'
import { flag, lineOrNone, timeZone } from '../fields.ts'

export const reliability = {
  working: {
    reliability_maintenance_counts_as_uptime: flag(true).describe('Whether time under maintenance counts as up'),
    reliability_policy_label: lineOrNone(100).describe('The name of the uptime target; empty for no name'),
    reliability_policy_timezone: timeZone().default('UTC').describe('The time zone of the days of uptime'),
    reliability_target_uptime_percent: z
      .number()
      .min(0)
      .max(100)
      .meta({ example: 99.9 })
      .nullable()
      .default(null)
      .describe('The uptime target; null for no target'),
  },
  later: {},
}
