import { canonical } from './canonical.ts'
import type { Context } from './context.ts'
import type { Subject } from './operation.ts'
import { requireStored } from './read-only.ts'

interface Revisable {
  version: number
  updated_at?: Date | null
}

/**
 * Takes a snapshot of a record before a change. The returned function is called after the change: if a client can see a
 * difference, it raises the version and returns true. Otherwise it returns false, there is no new version and no audit row,
 * and the caller sends no notification. `also` returns what clients see outside the record.
 */
export function trackRevision<S extends Revisable>(
  ctx: Context,
  subject: Subject<S>,
  record: S,
  also: () => unknown = () => undefined,
): () => boolean {
  const differs = trackDifference(ctx, subject, record, also)
  return () => {
    if (!differs()) {
      ctx.existing()
      return false
    }
    record.version += 1
    if (record.updated_at) record.updated_at = ctx.now
    return true
  }
}

/** The same without raising the version: the returned function only returns whether a client can see a difference. */
export function trackDifference<S>(
  ctx: Context,
  subject: Subject<S>,
  record: S,
  also: () => unknown = () => undefined,
): () => boolean {
  requireStored(ctx, { ...subject.snapshot(record), ...subject.alsoStored?.(record) })
  const seenNow = () => {
    const { version: _version, updated_at: _updated, ...seen } = subject.snapshot(record)
    return canonical([seen, ctx.auditExtras.after, also()])
  }
  const before = seenNow()
  return () => seenNow() !== before
}

/** Adds a changed list from another table to the audit row. Returns whether the lists differ, in any order. */
export function replaced(ctx: Context, name: string, before: number[], after: number[]): boolean {
  const differs = before.length !== after.length || before.some((one) => !after.includes(one))
  if (!differs) return false
  ctx.auditExtras.before[name] = before
  ctx.auditExtras.after[name] = after
  return true
}

interface Variant {
  state: string
  values: unknown
}

/**
 * Takes a snapshot of what readers of the page see of a record. The returned function, called after the change, returns
 * whether readers see a difference. Only published translations count.
 */
export function trackVisible(ctx: Context, visible: () => unknown): () => boolean {
  const known = canonical(visible())
  return () => {
    const { before, after } = ctx.auditExtras
    const published = ({ translations, affected_items }: Record<string, unknown>) => {
      const variants = Object.entries((translations ?? {}) as Record<string, Variant | null>)
      return [affected_items, variants.map(([locale, one]) => [locale, one?.state === 'published' ? one.values : null])]
    }
    return canonical(visible()) !== known || canonical(published(before)) !== canonical(published(after))
  }
}
