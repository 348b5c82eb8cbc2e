import type { EntityManager } from '@mikro-orm/postgresql'
import { alertKeys, publicKeys, transactionalKeys } from './notification-keys.ts'
import { run, type Statement, sql } from './sql.ts'

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
  /** Why the notification is not sent, such as `notify_false`. */
  withheld: string | null
}

const columns = sql`page_id, key, natural_key, subject_kind, subject_id, due_at, created_at, late, missed, data,
  withheld`

const isOneOf = (key: Statement, keys: readonly string[]) => sql`${key} = any (${`{${keys.join(',')}}`}::text[])`

/** Whether readers of the page see what the event in `e` is about. */
export const isPublic = (e: Statement) =>
  sql`(${isOneOf(sql`${e}.key`, publicKeys)}
    and (${e}.key <> 'maintenance.reminder' or ${e}.data->>'reminder' = 'before_start'))`

const isTransactional = (e: Statement) => isOneOf(sql`${e}.key`, transactionalKeys)

/**
 * The state of a new event. A process looks for recipients only if the page has a subscriber: an event without any
 * costs no process. Subscribers that are not active get nothing, and are counted with the reason.
 */
const firstState = sql`case
  when e.withheld is not null then 'no_recipient'
  when ${isTransactional(sql`e`)} then 'queued'
  when ${isPublic(sql`e`)} then case
    when e.key = 'item.status_changed' and exists (select from subscription s
      where s.page_id = e.page_id and s.event_kinds @> '["item.status_changed"]'::jsonb) then 'queued'
    when e.key <> 'item.status_changed' and exists (select from subscriber s where s.page_id = e.page_id) then 'queued'
    else 'no_recipient' end
  when ${isOneOf(sql`e.key`, alertKeys)} then 'queued'
  when exists (select from subscription s where s.page_id = e.page_id and s.internal) then 'queued'
  else 'done' end`

const isOnlyForPage = sql`a.withheld is null and not ${isPublic(sql`a`)} and not ${isTransactional(sql`a`)}`

/**
 * Common table expressions that write the events in `from`, each natural key once: `announced` are the new events. Writes
 * the wake-ups of their processes and the deliveries to the page itself, which has one of each internal event.
 */
const writeEvents = (from: Statement, scanAt: Statement) =>
  sql`announced as (insert into notification_event (${columns}, state)
      select ${columns}, ${firstState} from ${from} e
      on conflict (page_id, natural_key) do nothing returning id, page_id, key, data, state, withheld, created_at),
    shown_to_page as (insert into delivery
        (page_id, notification_id, channel, address, state, attempts, digest, sent_at, created_at, updated_at)
      select page_id, id, 'in_app', 'page', 'sent', '[]'::jsonb, false, created_at, created_at, created_at
      from announced a where ${isOnlyForPage}),
    expanding as (insert into wakeup (page_id, workflow_id, reason, created_at, attempts, next_send_at)
      select page_id, 'notification:' || id, '', created_at, 0, ${scanAt} from announced where state = 'queued')`

/** The same for new events. The wake-ups are sent at `scanAt` at the earliest. */
export const insertEvents = (events: NewEvent[], scanAt: Date) =>
  writeEvents(
    sql`jsonb_populate_recordset(null::notification_event, ${JSON.stringify(events)}::jsonb)`,
    sql`${scanAt}::timestamptz`,
  )

/**
 * The notification of each status event in `from`, as common table expressions, withheld if `notify` is false. The natural
 * key is the id of the status event.
 */
export const insertStatusChanges = (from: Statement, now: Date, notify: boolean) =>
  writeEvents(
    sql`(select page_id, 'item.status_changed' as key, 'item:' || item_id || ':status-event:' || id as natural_key,
        'item' as subject_kind, item_id as subject_id, ${now}::timestamptz as due_at, ${now}::timestamptz as created_at,
        false as late, 0 as missed, case when not ${notify}::boolean then 'notify_false' end as withheld,
        jsonb_build_object('status', status, 'previous_status', previous_status, 'status_event_id', id,
          'event_time', to_char(event_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'cause', jsonb_strip_nulls(jsonb_build_object('kind', cause_kind, 'id', cause_id))) as data
      from ${from} order by id)`,
    sql`created_at`,
  )

export interface Announced {
  id: number
  state: 'queued' | 'done' | 'no_recipient'
}

/** Writes the event; returns undefined if its natural key exists. */
export async function claimEvent(tx: EntityManager, event: NewEvent, scanAt: Date): Promise<Announced | undefined> {
  const [announced] = await run<Announced>(
    tx,
    sql`with ${insertEvents([event], scanAt)} select id::float8 as id, state from announced`,
  )
  return announced
}
