import type { EntityManager } from '@mikro-orm/postgresql'
import { insertEvents, type NewEvent } from './notifications.ts'

export interface LedgerEntry {
  pageId: number
  now: Date
  audit?: {
    operation: string
    actor_kind: string
    actor_id: number | null
    actor_name: string
    subject_kind: string | null
    subject_id: number | null
    request_id: string
    before: unknown
    after: unknown
  }
  wakeups: { workflow_id: string; reason: string }[]
  events: NewEvent[]
  idempotency?: { actor: string; key: string; request_hash: string; existing: boolean; output: unknown }
  /** When the relay's scan may ring by itself: the process that commits rings first. */
  firstScanAt: Date
}

/**
 * What every change leaves behind besides its facts, in one round trip: an audit row, wake-ups, notification events,
 * the answer to a key.
 */
export async function writeLedger(tx: EntityManager, entry: LedgerEntry): Promise<void> {
  const parts: string[] = []
  const params: unknown[] = []
  if (entry.audit) {
    const a = entry.audit
    parts.push(`audited as (insert into audit_event
      (page_id, at, operation, actor_kind, actor_id, actor_name, subject_kind, subject_id, request_id, before, after)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?::jsonb))`)
    params.push(entry.pageId, entry.now, a.operation, a.actor_kind, a.actor_id, a.actor_name)
    params.push(a.subject_kind, a.subject_id, a.request_id, toJson(a.before), toJson(a.after))
  }
  if (entry.wakeups.length > 0) {
    const row = '(?, ?, ?, ?::timestamptz, 0, ?::timestamptz)'
    parts.push(`woken as (insert into wakeup (page_id, workflow_id, reason, created_at, attempts, next_send_at)
      values ${entry.wakeups.map(() => row).join(', ')})`)
    for (const w of entry.wakeups) params.push(entry.pageId, w.workflow_id, w.reason, entry.now, entry.firstScanAt)
  }
  if (entry.events.length > 0) {
    const insert = insertEvents(entry.events)
    parts.push(`announced as (${insert.sql})`)
    params.push(...insert.params)
  }
  if (entry.idempotency) {
    const i = entry.idempotency
    parts.push(`answered as (insert into idempotency_record
      (page_id, actor, key, request_hash, existing, output, created_at) values (?, ?, ?, ?, ?, ?::jsonb, ?)
      on conflict (page_id, actor, key) do update set request_hash = excluded.request_hash,
        existing = excluded.existing, output = excluded.output, created_at = excluded.created_at)`)
    params.push(entry.pageId, i.actor, i.key, i.request_hash, i.existing, toJson(i.output), entry.now)
  }
  if (parts.length > 0) await tx.execute(`with ${parts.join(', ')} select 1`, params)
}

function toJson(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}
