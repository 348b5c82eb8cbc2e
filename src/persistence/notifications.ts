import type { EntityManager } from '@mikro-orm/postgresql'
import { alertKeys, publicKeys, transactionalKeys } from './notification-keys.ts'
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
  /** Why the notification is not sent, such as `notify_false`. */
  withheld: string | null
}

const columns = 'page_id, key, natural_key, subject_kind, subject_id, due_at, created_at, late, missed, data, withheld'

const listed = (keys: readonly string[]) => keys.map((key) => `'${key}'`).join(', ')

/** Whether readers of the page see what the event in `e` is about. */
export const isPublic = (e: string) =>
  `(${e}.key in (${listed(publicKeys)}) and (${e}.key <> 'maintenance.reminder' or ${e}.data->>'reminder' = 'before_start'))`

const isTransactional = (e: string) => `${e}.key in (${listed(transactionalKeys)})`

const itemStatus = `'item.status_changed'`

/**
 * The state of a new event. A process looks for recipients only if the page may have one: an event without any
 * costs no process.
 */
const firstState = `case
  when e.withheld is not null then 'no_recipient'
  when ${isTransactional('e')} then 'queued'
  when ${isPublic('e')} then case
    when e.key = ${itemStatus} and exists (select from subscription s
      where s.page_id = e.page_id and s.event_kinds @> '["item.status_changed"]'::jsonb) then 'queued'
    when e.key <> ${itemStatus} and exists (select from subscriber s
      where s.page_id = e.page_id and s.state = 'active') then 'queued'
    else 'no_recipient' end
  when e.key in (${listed(alertKeys)}) then 'queued'
  when exists (select from subscription s where s.page_id = e.page_id and s.internal) then 'queued'
  else 'done' end`

/**
 * Common table expressions that write the events in `from`, each natural key once: `announced` are the new events. Writes
 * the wake-ups of their processes and the deliveries to the page itself, which has one of each internal event.
 */
const writeEvents = (from: string, scanAt: string) =>
  `announced as (insert into notification_event (${columns}, state)
    select ${columns
      .split(', ')
      .map((column) => `e.${column}`)
      .join(', ')}, ${firstState} from ${from} e
    on conflict (page_id, natural_key) do nothing returning id, page_id, key, data, state, withheld, created_at),
  shown_to_page as (insert into delivery
      (page_id, notification_id, channel, address, state, attempts, digest, sent_at, created_at, updated_at)
    select page_id, id, 'in_app', 'page', 'sent', '[]'::jsonb, false, created_at, created_at, created_at
    from announced a where a.withheld is null and not ${isPublic('a')} and not ${isTransactional('a')}),
  expanding as (insert into wakeup (page_id, workflow_id, reason, created_at, attempts, next_send_at)
    select page_id, 'notification:' || id, '', created_at, 0, ${scanAt} from announced where state = 'queued')`

const rowsOf = (parameter: string) => `jsonb_populate_recordset(null::notification_event, ${parameter}::jsonb)`

/** The same for a JSON array of events. */
export const insertEvents = (parameter: string, scanAt: string) => writeEvents(rowsOf(parameter), scanAt)

/**
 * The notification of each status event in `from`, as common table expressions. Parameters: the moment, twice, and whether to
 * write at all. The natural key is the id of the status event.
 */
export const insertStatusChanges = (from: string) =>
  writeEvents(
    `(select page_id, 'item.status_changed' as key, 'item:' || item_id || ':status-event:' || id as natural_key,
        'item' as subject_kind, item_id as subject_id, ?::timestamptz as due_at, ?::timestamptz as created_at,
        false as late, 0 as missed, null as withheld,
        jsonb_build_object('status', status, 'previous_status', previous_status, 'status_event_id', id,
          'event_time', to_char(event_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'cause', jsonb_strip_nulls(jsonb_build_object('kind', cause_kind, 'id', cause_id))) as data
      from ${from} where ?::boolean order by id)`,
    'created_at',
  )

export interface Announced {
  id: number
  state: 'queued' | 'done' | 'no_recipient'
}

/** Writes the event; returns undefined if its natural key exists. */
export async function claimEvent(tx: EntityManager, event: NewEvent, scanAt: Date): Promise<Announced | undefined> {
  const sql = `with ${insertEvents('$1', '$2::timestamptz')} select id::float8 as id, state from announced`
  const [announced] = await run<Announced>(tx, sql, [JSON.stringify([event]), scanAt])
  return announced
}
