import type { EntityManager } from '@mikro-orm/postgresql'
import { insertEvents, type NewEvent } from './notifications.ts'
import { run } from './prepared.ts'
import { insertWakeupNotes } from './processes.ts'

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
  /** When the scan of a relay may send the wake-ups: the process that commits wakes first. */
  firstScanAt: Date
}

const rowsOf = (table: string, parameter: string) => `jsonb_populate_recordset(null::${table}, ${parameter}::jsonb)`

const auditColumns =
  'page_id, at, operation, actor_kind, actor_id, actor_name, subject_kind, subject_id, request_id, before, after'
const wakeupColumns = 'page_id, workflow_id, reason, created_at, attempts, next_send_at'
const answerColumns = 'page_id, actor, key, request_hash, existing, output, created_at'

const statement = `with
  audited as (insert into audit_event (${auditColumns}) select ${auditColumns} from ${rowsOf('audit_event', '$1')}),
  woken as (insert into wakeup (${wakeupColumns}) select ${wakeupColumns} from ${rowsOf('wakeup', '$2')}),
  noted as (${insertWakeupNotes(rowsOf('wakeup', '$2'))}),
  ${insertEvents('$3', '$5::timestamptz')},
  answered as (insert into idempotency_record (${answerColumns})
    select ${answerColumns} from ${rowsOf('idempotency_record', '$4')})
  select id::float8 as id from announced where state = 'queued'`

/**
 * Writes the records of a change besides its facts, in one round trip: the audit row, wake-ups with their notes,
 * notifications, the answer to an idempotency key. Returns the ids of the notifications whose recipients are to be found.
 */
export async function writeLedger(tx: EntityManager, entry: LedgerEntry): Promise<number[]> {
  const { pageId: page_id, now, audit, wakeups, events, idempotency, firstScanAt } = entry
  const rows = [
    audit ? [{ page_id, at: now, ...audit }] : [],
    wakeups.map((w) => ({ page_id, ...w, created_at: now, attempts: 0, next_send_at: firstScanAt })),
    events,
    idempotency ? [{ page_id, ...idempotency, created_at: now }] : [],
  ]
  if (rows.every((list) => list.length === 0)) return []
  const parameters = [...rows.map((list) => JSON.stringify(list)), firstScanAt]
  return (await run<{ id: number }>(tx, statement, parameters)).map(({ id }) => id)
}
