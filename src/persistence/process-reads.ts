import type { EntityManager } from '@mikro-orm/postgresql'

/** Since when each of these processes has something to look at. */
export async function oldestWakeups(tx: EntityManager, workflowIds: string[]): Promise<Map<string, Date>> {
  if (workflowIds.length === 0) return new Map()
  const rows = await tx.execute<{ workflow_id: string; oldest: Date | string }[]>(
    `select workflow_id, min(created_at) as oldest from wakeup where workflow_id in (${workflowIds.map(() => '?').join(', ')})
      group by workflow_id`,
    workflowIds,
  )
  return new Map(rows.map((row) => [row.workflow_id, new Date(row.oldest)]))
}

interface NewRequest {
  page_id: number
  workflow_id: string
  kind: string
  now: Date
}

export async function openRequest(tx: EntityManager, request: NewRequest): Promise<number> {
  const [row] = await tx.execute<{ id: number }[]>(
    `insert into process_request (page_id, workflow_id, kind, input, created_at) values (?, ?, ?, '{}'::jsonb, ?)
      returning id::float8 as id`,
    [request.page_id, request.workflow_id, request.kind, request.now],
  )
  return row!.id
}

export async function isAnswered(tx: EntityManager, id: number): Promise<boolean> {
  const rows = await tx.execute<unknown[]>('select 1 from process_request where id = ? and answered_at is not null', [
    id,
  ])
  return rows.length > 0
}
