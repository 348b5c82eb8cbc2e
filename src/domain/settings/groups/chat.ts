import { z } from 'zod'

const MAX_REMINDER_MINUTES = 60 * 24 * 30

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
  },
}
