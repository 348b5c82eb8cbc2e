import { withDatabase } from './facts.ts'

/** All moments in milliseconds. A commit has a fraction: PostgreSQL counts microseconds. */

/** A row that is written once and not changed: the moment that it says it is of, and that of its commit. */
export interface Dated {
  table: string
  id: number
  recorded: number
  committed: number
}

export interface StatusRow {
  id: number
  item_id: number
  status: string
  previous_status: string
  at: number
  committed: number
  cause_kind: string
  cause_id: number | null
}

export interface EntryRow {
  id: number
  maintenance_id: number
  status: string
  previous_status: string
  at: number
  due: number | null
  late: boolean
}

interface WindowRow {
  id: number
  started: number | null
  ended: number | null
}

/** What keeps an item from being operational, and from when until when. */
export interface Hold {
  item_id: number
  status: string
  from: number
  until: number | null
}

export interface NotificationRow {
  key: string
  kind: string
  subject_id: number
  due: number
  at: number
  late: boolean
  missed: number
}

interface IncidentRow {
  id: number
  at: number
}

interface UpdateRow {
  incident_id: number
  at: number
  resolves: boolean
}

export interface OutageRows {
  dated: Dated[]
  statuses: StatusRow[]
  entries: EntryRow[]
  windows: WindowRow[]
  holds: Hold[]
  notifications: NotificationRow[]
  incidents: IncidentRow[]
  updates: UpdateRow[]
  stages: { beat_id: number; stage: string; at: number }[]
}

const ms = (moment: string) => `(extract(epoch from ${moment}) * 1000)::float8`
const commit = ms('pg_xact_commit_timestamp(xmin)')

/** Of each table that is only added to here, which column is the moment of doing. */
const datedBy = {
  incident_update: 'created_at',
  maintenance_update: 'created_at',
  status_event: 'event_time',
  notification_event: 'created_at',
  process_note: 'at',
  audit_event: 'at',
}

const queries: Record<keyof OutageRows, string> = {
  dated: Object.entries(datedBy)
    .map(
      ([table, moment]) =>
        `select '${table}' as table, id::int, ${ms(moment)} as recorded, ${commit} as committed from ${table}`,
    )
    .join(' union all '),
  statuses: `select id, item_id, status, previous_status, ${ms('event_time')} as at, ${commit} as committed,
      cause_kind, cause_id
    from status_event order by id`,
  entries: `select id, maintenance_id, status, previous_status, ${ms('created_at')} as at, ${ms('due_at')} as due, late
    from maintenance_update order by id`,
  windows: `select id, ${ms('started_at')} as started, ${ms('ended_at')} as ended from maintenance`,
  holds: `select item_id, 'degraded' as status, ${ms('start_time')} as from, ${ms('end_time')} as until
      from incident_impact
    union all select item_id, 'maintenance', ${ms('started_at')}, ${ms('ended_at')}
      from maintenance_item i join maintenance m on m.id = i.maintenance_id where started_at is not null`,
  notifications: `select key, subject_kind as kind, subject_id, ${ms('due_at')} as due, ${ms('created_at')} as at, late, missed
    from notification_event order by id`,
  incidents: `select id, ${ms('created_at')} as at from incident order by id`,
  updates: `select incident_id, ${ms('created_at')} as at, is_resolution as resolves from incident_update order by id`,
  stages: `select owner_id as beat_id, to_stage as stage, ${ms('at')} as at from beat_transition order by id`,
}

/** Everything as it was at one moment. */
export function readOutageRows(databaseUrl: string): Promise<OutageRows> {
  return withDatabase(databaseUrl, async (client) => {
    await client.query('begin isolation level repeatable read')
    const rows: [string, unknown[]][] = []
    for (const [name, sql] of Object.entries(queries)) rows.push([name, (await client.query(sql)).rows])
    return Object.fromEntries(rows) as unknown as OutageRows
  })
}

/** In which places there is anything of requests whose key starts so, and how often. */
export function tracesOf(databaseUrl: string, prefix: string): Promise<Record<string, number>> {
  const places = {
    incident: 'external_id',
    incident_update: 'message',
    maintenance: 'external_id',
    idempotency_record: 'key',
    audit_event: 'after::text',
  }
  return withDatabase(databaseUrl, async (client) => {
    const counts: [string, number][] = []
    for (const [table, column] of Object.entries(places)) {
      const sql = `select count(*)::int as count from ${table} where ${column} like $1`
      counts.push([table, (await client.query(sql, [`%${prefix}%`])).rows[0].count])
    }
    return Object.fromEntries(counts.filter(([, count]) => count > 0))
  })
}
