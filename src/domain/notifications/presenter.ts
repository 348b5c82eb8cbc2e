import { z } from 'zod'
import type { NotificationEvent } from '../../persistence/entities/notification-event.ts'
import { momentOut } from '../kernel/schema.ts'
import { DeliveryCounts } from './counts-schema.ts'

export const NotificationEventResource = z
  .strictObject({
    id: z.int(),
    key: z.string().describe('Such as `incident.reminder`'),
    subject: z.strictObject({ kind: z.string(), id: z.int() }),
    due_at: momentOut(),
    created_at: momentOut(),
    late: z.boolean().describe('Whether the notification was written noticeably after it was due'),
    missed: z.int().describe('0, or for a late notification the number of due moments that it covers'),
    state: z
      .enum(['queued', 'sending', 'done', 'no_recipient'])
      .describe(
        '`queued` until the recipients are found, `sending` while deliveries are tried, `done` once each delivery has an end or waits for a daily mail, `no_recipient` if nothing was to be sent',
      ),
    withheld: z
      .string()
      .optional()
      .describe('Why nothing was to be sent: `notify_false`, `beat_muted`, `announced_by_series` or `series_deleted`'),
    counts: DeliveryCounts.optional(),
    read_at: momentOut().nullable().optional().describe('In a list with `channel=in_app`'),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'NotificationEvent' })

export function presentNotification(event: NotificationEvent) {
  return {
    id: event.id,
    key: event.key,
    subject: { kind: event.subject_kind, id: event.subject_id },
    due_at: event.due_at.toISOString(),
    created_at: event.created_at.toISOString(),
    late: event.late,
    missed: event.missed,
    state: event.state,
    withheld: event.withheld ?? undefined,
    data: event.data,
  }
}
