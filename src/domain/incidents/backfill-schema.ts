import { z } from 'zod'
import { line, moment } from '../kernel/schema.ts'
import { IncidentCreateRequest } from './schema.ts'

export const IncidentBackfillRequest = IncidentCreateRequest.extend({
  started_at: moment(),
  acknowledged_at: moment().nullable().optional(),
  resolved_at: moment()
    .nullable()
    .optional()
    .describe('Absent: the incident is open, unless the last update resolves it'),
  updates: z
    .array(
      z.strictObject({
        message: line(20_000),
        status: z
          .string()
          .min(1)
          .max(50)
          .optional()
          .describe('`resolved` is allowed in the last update only. Absent: the update is a note'),
        created_at: moment(),
      }),
    )
    .max(500)
    .default([])
    .describe('The timeline, oldest first'),
  notify: z.literal(false).optional().describe('A backfill notifies no subscriber, so only `false` is accepted'),
})
