import type { NewEvent } from '../../persistence/notifications.ts'
import type { Context } from '../kernel/context.ts'

export interface Announcement {
  key: string
  kind: string
  id: number
  /** What makes it this one and no other among the subject's events: `update:17`. Facts only, never a clock. */
  natural: string
  data?: Record<string, unknown>
}

/** People are to be told that this happened now. Written with the operation's other traces, in its transaction. */
export function announce(ctx: Context, { key, kind, id, natural, data = {} }: Announcement): void {
  const event: NewEvent = {
    page_id: ctx.page.id,
    key,
    natural_key: `${kind}:${id}:${natural}`,
    subject_kind: kind,
    subject_id: id,
    due_at: ctx.now,
    created_at: ctx.now,
    late: false,
    missed: 0,
    data,
  }
  ctx.events.push(event)
}
