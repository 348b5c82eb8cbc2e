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

/** The parameter holds the events as a JSON array. Those whose natural key is taken are passed over. */
export const insertEvents = (parameter: string) =>
  `insert into notification_event (${columns}, state)
    select ${columns}, 'queued' from jsonb_populate_recordset(null::notification_event, ${parameter}::jsonb)
    on conflict (page_id, natural_key) do nothing returning id`

/** Claims the natural key and writes the event, or says that somebody did before. */
export async function claimEvent(tx: EntityManager, event: NewEvent): Promise<boolean> {
  return (await run(tx, insertEvents('$1'), [JSON.stringify([event])])).length > 0
}
