import { z } from 'zod'
import { field } from '../kernel/fields.ts'
import { line, text } from '../kernel/schema.ts'

const MAX_REMINDER_MINUTES = 60 * 24 * 30

const reminderInterval = z
  .int()
  .min(1)
  .max(MAX_REMINDER_MINUTES)
  .describe('Minutes after the last update until the next reminder')
  .nullable()

const read = { public: true, translatable: true } as const

/** The fields of an incident that requests set and that are one column, except its status, its stage and its times. */
export const incidentFields = {
  title: field(line(300), { required: true, compact: true, ...read }),
  description: field(text(20_000), { default: '', saysDefault: true, nullClears: true, compact: true, ...read }),
  impact: field(text(200), { default: null, nullClears: true, compact: true, ...read }),
  affected_items_freetext: field(text(2000), { default: null, nullClears: true, ...read }),
  chat_channel_id: field(text(100), { default: null, nullClears: true }),
  reminder_interval_minutes: field(reminderInterval, {}),
}
