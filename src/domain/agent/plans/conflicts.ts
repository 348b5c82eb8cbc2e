import type { ExpectedRecord, PlanConflict } from '../../../persistence/entities/action-plan.ts'
import { canonical } from '../../kernel/canonical.ts'

/** Fields of snapshots that change with every change, or without one that a client sees. */
const IGNORED = ['updated_at', 'version']

/** The differences between a record as a plan expects it and as it is; undefined for a deleted record. */
export function conflictsOf(
  { kind, id, version, snapshot: was }: ExpectedRecord,
  now: { version?: number | undefined; snapshot: Record<string, unknown> } | undefined,
): PlanConflict[] {
  if (!now) return [{ kind, id, field: 'record', was: nameIn(was), is: 'deleted' }]
  const { snapshot: is } = now
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => !IGNORED.includes(name))
  const changed = names.filter((name) => canonical(was[name] ?? null) !== canonical(plain(is[name]) ?? null))
  const fields = changed.map((field) => ({ kind, id, field, was: was[field] ?? null, is: plain(is[field]) ?? null }))
  if (version === undefined || version === now.version) return version === undefined ? fields : []
  // A timeline entry raises the version of its record and leaves the fields of the record.
  return fields.length > 0 ? fields : [{ kind, id, field: 'version', was: version, is: now.version ?? null }]
}

/** As PostgreSQL stores JSON: dates are texts. */
export const plain = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

const nameIn = (snapshot: Record<string, unknown>): unknown => snapshot.title ?? snapshot.name ?? 'existing'
