import type { EntityManager } from '@mikro-orm/postgresql'

export interface NewEvent {
  page_id: number
  key: string
  natural_key: string
  subject_kind: string
  subject_id: number
  due_at: Date
  created_at: Date
  late: boolean
  missed: number
  data: Record<string, unknown>
}

const row = "(?, ?, ?, ?, ?, ?::timestamptz, ?::timestamptz, ?, ?, 'queued', ?::jsonb)"

export function insertEvents(events: NewEvent[]): { sql: string; params: unknown[] } {
  const sql = `insert into notification_event
    (page_id, key, natural_key, subject_kind, subject_id, due_at, created_at, late, missed, state, data)
    values ${events.map(() => row).join(', ')} on conflict (page_id, natural_key) do nothing returning id`
  const params = events.flatMap((event) => [
    event.page_id,
    event.key,
    event.natural_key,
    event.subject_kind,
    event.subject_id,
    event.due_at,
    event.created_at,
    event.late,
    event.missed,
    JSON.stringify(event.data),
  ])
  return { sql, params }
}

/** Claims the natural key and writes the event, or says that somebody did before. */
export async function claimEvent(tx: EntityManager, event: NewEvent): Promise<boolean> {
  const { sql, params } = insertEvents([event])
  return (await tx.execute<unknown[]>(sql, params)).length > 0
}
