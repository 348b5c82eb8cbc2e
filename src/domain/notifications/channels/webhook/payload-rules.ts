import type { Content } from '../../../../persistence/entities/notification-event.ts'
import type { EventFacts } from '../channel.ts'
import { shrunk } from './shrink-rules.ts'

/** The body has less than 20 kB. */
const MOST_BYTES = 19_999

export interface Payload {
  type: string
  timestamp: string
  data: Record<string, unknown>
}

/** The payload depends on stored facts alone, so that each attempt sends the same bytes. */
export function payloadOf(event: EventFacts, content: Content): Payload {
  const { record, update, items, page, sequence } = content
  const { late, missed } = event
  const data = {
    event_id: event.id,
    sequence,
    page,
    [event.subject_kind]: record,
    ...(update ? { update } : {}),
    ...(items.length > 0 ? { items } : {}),
    ...(Object.keys(event.data).length > 0 ? { details: event.data } : {}),
    ...(late ? { late, missed } : {}),
  }
  return shrunk({ type: event.key, timestamp: event.created_at.toISOString(), data }, event.subject_kind, MOST_BYTES)
}
