import { z } from 'zod'
import { text } from '../../kernel/schema.ts'
import { minutesIn } from '../rules.ts'

const MAX_REMINDER_MINUTES = 60 * 24 * 30

const minutes = (means: string) =>
  z
    .int()
    .min(1)
    .max(MAX_REMINDER_MINUTES)
    .meta({ example: 15 })
    .nullable()
    .default(null)
    .describe(`${means}; null for never`)

/** The settings of the chat app, which have an address of their own. */
export const chat = {
  working: {
    reminder_interval_minutes: z
      .int()
      .min(1)
      .max(MAX_REMINDER_MINUTES)
      .meta({ example: 30 })
      .nullable()
      .default(null)
      .describe(
        'Minutes after the last update until an incident that has no interval of its own is reminded of; null for never',
      ),
    maintenance_reminder_pre_start_intervals: text(200)
      .refine((list) => minutesIn(list) !== undefined, 'must be up to ten times such as 1d, 2h, 15m')
      .meta({ example: '1d, 1h, 15m' })
      .default('')
      .describe('How long before its start a maintenance is reminded of: minutes, hours (h) or days (d), with commas'),
    maintenance_reminder_pre_end_minutes: minutes('Minutes before its end at which a maintenance is reminded of'),
    maintenance_reminder_overrun_interval_minutes: minutes(
      'Minutes between the reminders of a maintenance that goes on behind its end',
    ),
  },
}
