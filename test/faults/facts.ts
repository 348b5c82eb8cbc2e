import { Connection, Client as TemporalClient } from '@temporalio/client'
import pg from 'pg'
import type { Caller } from '../support/caller.ts'
import { until } from '../support/wait.ts'

/** What the service says, over the API, when all is over. */
export interface ShownIncident {
  id: number
  status: string
  external_id: string
  version: number
  created_at: string
  resolved_at: string | null
  reminder_interval_minutes?: number
  /** Oldest first. */
  updates: ShownUpdate[]
}

interface ShownUpdate {
  id: number
  message: string
  status: string
  previous_status: string
  is_resolution: boolean
  created_at: string
}

export interface ShownEvent {
  id: number
  key: string
  subject: { kind: string; id: number }
  due_at: string
  created_at: string
  late: boolean
  missed: number
  data: { update_id?: number }
}

export async function readIncidents(caller: Caller): Promise<ShownIncident[]> {
  const incidents = await readAll<ShownIncident>(caller, '/admin/incidents?view=full&limit=100', 'incidents')
  return incidents.map((incident) => ({ ...incident, updates: incident.updates.toReversed() }))
}

export function readEvents(caller: Caller): Promise<ShownEvent[]> {
  return readAll<ShownEvent>(caller, '/admin/notifications?limit=100', 'notifications')
}

async function readAll<T>(caller: Caller, path: string, name: string): Promise<T[]> {
  const all: T[] = []
  for (let cursor: string | undefined; ; ) {
    const { status, body } = await caller.get(cursor ? `${path}&cursor=${encodeURIComponent(cursor)}` : path)
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
    all.push(...body[name])
    cursor = body.next_cursor ?? undefined
    if (!cursor) return all
  }
}

interface Process {
  workflow_id: string
  state: string
  until: Date | null
}

export interface Rows {
  processes: Process[]
  /** When each incident's reminders count from. */
  remindersFrom: Map<number, number>
}

export async function readRows(databaseUrl: string): Promise<Rows> {
  return withDatabase(databaseUrl, async (client) => {
    const processes = await client.query<Process>('select workflow_id, state, until from process')
    const incidents = await client.query<{ id: number; reminders_from: Date }>(
      'select id, reminders_from from incident',
    )
    return {
      processes: processes.rows,
      remindersFrom: new Map(incidents.rows.map((row) => [row.id, row.reminders_from.getTime()])),
    }
  })
}

/** What is due in the last moments may still be on its way. */
const ON_ITS_WAY_MS = 6000

interface Quiet {
  /** Whatever was written or due before this has been looked at. */
  horizon: number
  /** What was left when nothing changed any more. */
  left?: string
}

/** Waits until nothing is left of what there was to do by now: every write was looked at, and every due moment. */
export async function untilQuiet(databaseUrl: string): Promise<Quiet> {
  const since = Date.now()
  let seen: Unrest = { horizon: since, unread: [], overdue: [] }
  const look = async () => {
    seen = await unrest(databaseUrl, since)
    return { unread: seen.unread, overdue: seen.overdue, reached: seen.horizon >= since }
  }
  try {
    await until(look, ({ unread, overdue, reached }) => reached && unread.length + overdue.length === 0)
    return { horizon: seen.horizon }
  } catch (error) {
    const { horizon, unread, overdue } = seen
    if (unread.length + overdue.length === 0) throw error
    const left =
      unread.length > 0 ? `wake-ups are unread: ${list(unread)}` : `processes overlook their moment: ${list(overdue)}`
    return { horizon, left }
  }
}

interface Unrest {
  horizon: number
  unread: string[]
  overdue: string[]
}

function unrest(databaseUrl: string, since: number): Promise<Unrest> {
  return withDatabase(databaseUrl, async (client) => {
    const horizon = new Date(Date.now() - ON_ITS_WAY_MS)
    const unread = new Date(Math.max(since, horizon.getTime()))
    const ids = async (sql: string, before: Date) =>
      (await client.query<{ workflow_id: string }>(sql, [before])).rows.map(({ workflow_id }) => workflow_id)
    return {
      horizon: horizon.getTime(),
      unread: await ids('select distinct workflow_id from wakeup where created_at < $1 order by 1', unread),
      overdue: await ids(
        "select workflow_id from process where state <> 'done' and until is not null and until < $1 order by 1",
        horizon,
      ),
    }
  })
}

const list = (ids: string[]) => ids.slice(0, 10).join(', ')

export async function withDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The processes that Temporal itself says are running. Its list may lag behind for a moment. */
export async function runningWorkflows(address: string, expected: Set<string>): Promise<Set<string>> {
  const connection = await Connection.connect({ address, connectTimeout: '1 minute' })
  try {
    const client = new TemporalClient({ connection, namespace: 'upbeat' })
    let running: string[] = []
    const look = async () => {
      running = []
      const query = "ExecutionStatus = 'Running'"
      for await (const { workflowId } of client.workflow.list({ query })) running.push(workflowId)
      return running.sort()
    }
    await until(look, (ids) => ids.length === expected.size && ids.every((id) => expected.has(id))).catch(() => {})
    return new Set(running)
  } finally {
    await connection.close()
  }
}
