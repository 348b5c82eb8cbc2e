import type { NewEvent } from '../../persistence/notifications.ts'
import type { Context } from '../kernel/context.ts'
import type { WorkContext } from '../kernel/work-context.ts'

export interface Announcement {
  key: string
  kind: string
  id: number
  /** What makes it this one and no other among the subject's events: `update:17`. Facts only, never a clock. */
  natural: string
  data?: Record<string, unknown>
}

/** People are to be told that this happened now. Written with the other traces of what happens, in its transaction. */
export function addNotification(
  { pageId, now, events }: WorkContext,
  { key, kind, id, natural, data = {} }: Announcement,
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
  }
  events.push(event)
}

export const notifyFrom = (ctx: Context, announcement: Announcement): void => addNotification(ctx, announcement)
