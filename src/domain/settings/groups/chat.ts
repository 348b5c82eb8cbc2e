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
    .describe(`${means}; null for no reminder`)

/** The settings of the chat app, which have their own path. */
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
        'Minutes from the last update to the reminder of an incident without its own interval; null for no reminder',
      ),
    maintenance_reminder_pre_start_intervals: text(200)
      .refine((list) => minutesIn(list) !== undefined, 'must be up to ten times such as 1d, 2h, 15m')
      .meta({ example: '1d, 1h, 15m' })
      .default('')
      .describe(
        'The times before the start at which a maintenance gets a reminder: minutes, hours (h) or days (d), separated by commas',
      ),
    maintenance_reminder_pre_end_minutes: minutes('Minutes from the reminder of a maintenance to its end'),
    maintenance_reminder_overrun_interval_minutes: minutes(
      'Minutes between the reminders of a maintenance in progress after its scheduled end',
    ),
  },
}
