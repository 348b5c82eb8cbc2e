import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, Client as TemporalClient } from '@temporalio/client'
import pg from 'pg'
import type { Caller } from '../support/caller.ts'

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

const LATE_MS = 3000
const LIST_PATIENCE_MS = 10_000

/** Waits until nothing is left to do: every write has been looked at, and no process overlooks its moment. */
export async function untilQuiet(databaseUrl: string, patienceMs: number): Promise<string | undefined> {
  const since = Date.now()
  const deadline = since + patienceMs
  for (let calm = 0; ; ) {
    const left = await unrest(databaseUrl, since)
    calm = left ? 0 : calm + 1
    if (calm === 4) return undefined
    if (Date.now() > deadline) return left
    await sleep(500)
  }
}

function unrest(databaseUrl: string, since: number): Promise<string | undefined> {
  return withDatabase(databaseUrl, async (client) => {
    const before = new Date(Date.now() - LATE_MS)
    const unread = new Date(Math.max(since, before.getTime()))
    const wakeups = await client.query('select workflow_id from wakeup where created_at < $1', [unread])
    const overdue = await client.query(
      "select workflow_id from process where state <> 'done' and until is not null and until < $1",
      [before],
    )
    if (wakeups.rowCount) return `wake-ups are unread: ${list(wakeups.rows)}`
    if (overdue.rowCount) return `processes overlook their moment: ${list(overdue.rows)}`
    return undefined
  })
}

const list = (rows: { workflow_id: string }[]) =>
  [...new Set(rows.map((row) => row.workflow_id))].slice(0, 10).join(', ')

async function withDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
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
  const connection = await Connection.connect({ address })
  try {
    const client = new TemporalClient({ connection, namespace: 'upbeat' })
    for (const deadline = Date.now() + LIST_PATIENCE_MS; ; await sleep(500)) {
      const running = new Set<string>()
      for await (const { workflowId } of client.workflow.list({ query: "ExecutionStatus = 'Running'" })) {
        running.add(workflowId)
      }
      const same = running.size === expected.size && [...running].every((id) => expected.has(id))
      if (same || Date.now() > deadline) return running
    }
  } finally {
    await connection.close()
  }
}
