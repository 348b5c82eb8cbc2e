import type { NewEvent } from '../../persistence/notifications.ts'
import type { Context } from '../kernel/context.ts'
import type { WorkContext } from '../kernel/work-context.ts'

export interface Announcement {
  key: string
  kind: string
  id: number
  /** Identifies the notification among those of the subject, such as `update:17`. Contains facts only, never the time. */
  natural: string
  data?: Record<string, unknown>
  /** False: the notification is recorded and not sent. */
  notify?: boolean
  /** Why it is not sent. */
  withheld?: string
}

/** Adds a notification to the current transaction. */
export function addNotification(
  { pageId, now, events }: WorkContext,
  { key, kind, id, natural, data = {}, notify = true, withheld = 'notify_false' }: Announcement,
): void {
  const event: NewEvent = {
    page_id: pageId,
    key,
    natural_key: `${kind}:${id}:${natural}`,
    subject_kind: kind,
    subject_id: id,
    due_at: now,
    created_at: now,
    late: false,
    missed: 0,
    data,
    withheld: notify ? null : withheld,
  }
  events.push(event)
}

export const notifyFrom = (ctx: Context, announcement: Announcement): void => addNotification(ctx, announcement)
