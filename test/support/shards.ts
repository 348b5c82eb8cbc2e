import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Services } from '../../src/domain/kernel/services.ts'

type Database = Pick<Services, 'system'>

/** So many beats at once, and a change of each, as if operations had made them. Answers their ids. */
export async function insertBeats(
  { system }: Database,
  pageId: number,
  count: number,
  fields: Partial<{
    target: object | string
    interval_seconds: number
    timeout_ms: number
    regions: string[]
    rules: object
  }> = {},
): Promise<number[]> {
  const {
    target = { url: 'http://127.0.0.1:1/' },
    interval_seconds = 1,
    timeout_ms = 1000,
    regions = ['local'],
  } = fields
  // In SQL it may say something else for each, by its number n.
  const said = typeof target === 'string' ? target : `'${JSON.stringify(target)}'::jsonb`
  const rules = fields.rules ?? { critical_rule: { consecutive_failures: 1 } }
  const rows = await system.em.fork().execute<{ id: number }[]>(
    `with made as (insert into beat (page_id, name, description, type, target, interval_seconds, timeout_ms, regions,
        threshold_policies, action_policies, message_policies, enabled, automation_paused, public_metrics_enabled,
        config_version, transition_number, settled_number, version, created_at, updated_at)
      select ?, 'Beat ' || n, '', 'http', ${said}, ?, ?, ?::jsonb, ?::jsonb, '{}', '{}', true, false, false, 1, 0, 0, 1,
        now(), now() from generate_series(1, ?) n returning id, page_id),
      changed as (insert into beat_change (page_id, beat_id, created_at) select page_id, id, now() from made)
      select id from made order by id`,
    [
      pageId,

      interval_seconds,
      timeout_ms,
      JSON.stringify(regions),
      JSON.stringify(rules),
      count,
    ],
  )
  return rows.map(({ id }) => id)
}

/** What an operation would have written: another configuration, and that it is another. */
export async function changeBeats({ system }: Database, ids: number[], set: string): Promise<void> {
  const list = ids.join(',')
  await system.em.fork().execute(
    `with changed as (update beat set ${set}, config_version = config_version + 1 where id in (${list}) returning page_id, id)
      insert into beat_change (page_id, beat_id, created_at) select page_id, id, now() from changed`,
  )
}

export interface ResultRow {
  beat_id: number
  region: string
  slot: number
  due_at: number
  at: number
  ok: boolean
}

/** By beat and slot. */
export async function storedResults({ system }: Database): Promise<ResultRow[]> {
  const rows = await system.em.fork().execute<ResultRow[]>(
    `select beat_id, region, slot::float8 as slot, extract(epoch from due_at)::float8 * 1000 as due_at,
        extract(epoch from at)::float8 * 1000 as at, ok from beat_result order by beat_id, slot`,
  )
  return rows.map((row) => ({ ...row, due_at: Math.round(row.due_at), at: Math.round(row.at) }))
}

/** A web server that records the time and path of each request; a test sets its status and its delay. */
export async function openTarget(): Promise<{
  url: string
  asked: { path: string; at: number }[]
  answer: { status: number; delayMs: (path: string) => number }
  close(): void
}> {
  const asked: { path: string; at: number }[] = []
  const answer = { status: 200, delayMs: (_path: string) => 0 }
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push({ path, at: Date.now() })
    setTimeout(() => response.writeHead(answer.status).end('well'), answer.delayMs(path))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
