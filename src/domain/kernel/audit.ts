import { Utils, wrap } from '@mikro-orm/core'
import type { LedgerEntry } from '../../persistence/ledger.ts'
import type { Actor, Context } from './context.ts'
import type { AnyOperation } from './operation.ts'

interface Change {
  before: Record<string, unknown> | undefined
  after: Record<string, unknown> | undefined
  auditExtras: Context['auditExtras']
  output: unknown
  id: number | undefined
  /** The id of a new record that the answer does not name. */
  made?: number | undefined
}

/** The audit row of an operation: actor, subject, and the changed fields, or all fields of a deleted record. */
export function auditOf(
  operation: AnyOperation,
  call: { actor: Actor; requestId: string },
  { before, after, auditExtras, output, id, made: unnamed }: Change,
): LedgerEntry['audit'] {
  const { id: made } = (output ?? {}) as { id?: unknown }
  const [was, is] = before ? (after ? difference(before, after) : [before, null]) : [null, output]
  // A record that was created below the subject, such as an update of an incident, belongs to the audit row.
  const below = after && typeof made === 'number' && made !== id ? { created: output } : {}
  // The audit row of a deletion has only the fields that came with the deletion, such as the reason.
  const deleted = before && Object.keys(auditExtras.after).length > 0 ? auditExtras.after : undefined
  return {
    operation: operation.name,
    actor_kind: call.actor.kind,
    actor_id: call.actor.kind === 'token' ? call.actor.id : null,
    actor_name: call.actor.name,
    subject_kind: operation.subject?.kind ?? operation.makes ?? null,
    subject_id: id ?? (typeof made === 'number' ? made : (unnamed ?? null)),
    request_id: call.requestId,
    before: before ? { ...(was as object), ...auditExtras.before } : was,
    after: after ? { ...(is as object), ...auditExtras.after, ...below } : (deleted ?? is),
  }
}

/** The snapshot of a record after the operation; undefined for a deleted record. */
export function recordAfter({ subject }: AnyOperation, record: object): Record<string, unknown> | undefined {
  const deleted = Utils.isEntity(record) && !wrap(record).isManaged()
  return deleted ? undefined : subject?.snapshot(record)
}

function difference(before: Record<string, unknown>, after: Record<string, unknown>) {
  const changed = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  const pick = (from: Record<string, unknown>) => Object.fromEntries(changed.map((name) => [name, from[name] ?? null]))
  return [pick(before), pick(after)]
}
