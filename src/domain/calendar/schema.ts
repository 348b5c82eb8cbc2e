import { z } from 'zod'
import { momentOut } from '../kernel/schema.ts'

const common = {
  id: z.int(),
  version: z.int(),
  title: z.string(),
  description: z.string(),
  items: z.array(z.string()).describe('The names of the affected items'),
  created_at: momentOut(),
  updated_at: momentOut(),
  starts_at: momentOut(),
  ends_at: momentOut().nullable(),
}

/** A maintenance; with `occurrence` it replaces an occurrence of the recurring event of its series. */
const SingleEvent = z.strictObject({
  ...common,
  cancelled: z.boolean(),
  occurrence: z.strictObject({ series_id: z.int(), at: momentOut() }).optional(),
})

const RecurringEvent = z.strictObject({
  ...common,
  time_zone: z.string(),
  rule: z.string(),
  until: momentOut().optional(),
  excluded: z.array(momentOut()),
  /** The end of the time for which the data of the time zone is needed. */
  known_until: momentOut(),
})

export const CalendarView = z.strictObject({
  name: z.string(),
  language: z.string(),
  maintenances: z.array(SingleEvent),
  series: z.array(RecurringEvent),
})
export type CalendarView = z.output<typeof CalendarView>
export type SingleEvent = z.output<typeof SingleEvent>
export type RecurringEvent = z.output<typeof RecurringEvent>
