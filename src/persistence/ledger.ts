import type { EntityManager } from '@mikro-orm/postgresql'
import { insertEvents, type NewEvent } from './notifications.ts'
import { insertWakeupNotes, type NewNote } from './processes.ts'
import { run, sql } from './sql.ts'

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
  notes: NewNote[]
  events: NewEvent[]
  idempotency?: { actor: string; key: string; request_hash: string; existing: boolean; output: unknown }
  /** When the scan of a relay may send the wake-ups: the process that commits wakes first. */
  firstScanAt: Date
}

const auditColumns = sql`page_id, at, operation, actor_kind, actor_id, actor_name, subject_kind, subject_id, request_id,
  before, after`
const wakeupColumns = sql`page_id, workflow_id, reason, created_at, attempts, next_send_at`
const noteColumns = sql`page_id, workflow_id, at, cause, message`
const answerColumns = sql`page_id, actor, key, request_hash, existing, output, created_at`

/**
 * Writes the records of a change besides its facts, in one round trip: the audit row, wake-ups with their notes, notes
 * of the request, notifications, the answer to an idempotency key. Returns the ids of the notifications whose recipients are to be found.
 */
export async function writeLedger(tx: EntityManager, entry: LedgerEntry): Promise<number[]> {
  const { pageId: page_id, now, audit, wakeups, notes, events, idempotency, firstScanAt } = entry
  const audits = audit ? [{ page_id, at: now, ...audit }] : []
  const woken = wakeups.map((w) => ({ page_id, ...w, created_at: now, attempts: 0, next_send_at: firstScanAt }))
  const noted = notes.map((note) => ({ page_id, at: now, ...note }))
  const answers = idempotency ? [{ page_id, ...idempotency, created_at: now }] : []
  if ([audits, woken, noted, events, answers].every((list) => list.length === 0)) return []
  const rows = await run<{ id: number }>(
    tx,
    sql`with
      audited as (insert into audit_event (${auditColumns}) select ${auditColumns}
        from jsonb_populate_recordset(null::audit_event, ${JSON.stringify(audits)}::jsonb)),
      woken as (insert into wakeup (${wakeupColumns}) select ${wakeupColumns}
        from jsonb_populate_recordset(null::wakeup, ${JSON.stringify(woken)}::jsonb)
        returning page_id, workflow_id, reason, created_at),
      noted as (${insertWakeupNotes(sql`woken`)}
        union all select ${noteColumns} from jsonb_populate_recordset(null::process_note, ${JSON.stringify(noted)}::jsonb)),
      ${insertEvents(events, firstScanAt)},
      answered as (insert into idempotency_record (${answerColumns}) select ${answerColumns}
        from jsonb_populate_recordset(null::idempotency_record, ${JSON.stringify(answers)}::jsonb))
      select id::float8 as id from announced where state = 'queued'`,
  )
  return rows.map(({ id }) => id)
}
