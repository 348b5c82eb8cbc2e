import type { EntityManager } from '@mikro-orm/postgresql'
import { run } from './prepared.ts'

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

const columns = 'page_id, key, natural_key, subject_kind, subject_id, due_at, created_at, late, missed, data'

/** The parameter is a JSON array of events. Events whose natural key exists are skipped. */
export const insertEvents = (parameter: string) =>
  `insert into notification_event (${columns}, state)
    select ${columns}, 'queued' from jsonb_populate_recordset(null::notification_event, ${parameter}::jsonb)
    on conflict (page_id, natural_key) do nothing returning id`

/**
 * The notification of each status event in `from`. Parameters: the moment, twice, and whether to write at all. The natural
 * key is the id of the status event.
 */
export const insertStatusChanges = (from: string) =>
  `insert into notification_event (${columns}, state)
    select page_id, 'item.status_changed', 'item:' || item_id || ':status-event:' || id, 'item', item_id, ?, ?, false, 0,
        jsonb_build_object('status', status, 'previous_status', previous_status, 'status_event_id', id,
          'event_time', to_char(event_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'cause', jsonb_strip_nulls(jsonb_build_object('kind', cause_kind, 'id', cause_id))), 'queued'
      from ${from} where ?::boolean order by id
    on conflict (page_id, natural_key) do nothing`

/** Writes the event; returns false if its natural key exists. */
export async function claimEvent(tx: EntityManager, event: NewEvent): Promise<boolean> {
  return (await run(tx, insertEvents('$1'), [JSON.stringify([event])])).length > 0
}
