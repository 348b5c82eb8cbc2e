import { canonical } from './canonical.ts'
import type { Context } from './context.ts'
import type { Subject } from './operation.ts'
import { requireStored } from './read-only.ts'

interface Revisable {
  version: number
  updated_at?: Date | null
}

/**
 * Begins to look at a record before a change of it. What it returns is called once the change is made: if a client can
 * see any difference it raises the version and says yes; if not, the request said what is stored, and nothing is done:
 * no version, no audit row. Whoever calls tells nobody then. `also` looks at what is seen elsewhere than on the record.
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

/** The same for a change that does something besides: it only says whether a client can see a difference. */
export function trackDifference<S>(
  ctx: Context,
  subject: Subject<S>,
  record: S,
  also: () => unknown = () => undefined,
): () => boolean {
  requireStored(ctx, { ...subject.snapshot(record), ...subject.alsoStored?.(record) })
  const look = () => {
    const { version: _version, updated_at: _updated, ...seen } = subject.snapshot(record)
    return canonical([seen, ctx.beside.after, also()])
  }
  const before = look()
  return () => look() !== before
}

/** Tells what a request replaced that stands in a table of its own, if it is not the same; in whatever order. */
export function replaced(ctx: Context, name: string, before: number[], after: number[]): boolean {
  const differs = before.length !== after.length || before.some((one) => !after.includes(one))
  if (!differs) return false
  ctx.beside.before[name] = before
  ctx.beside.after[name] = after
  return true
}

interface Variant {
  state: string
  values: unknown
}

/**
 * Begins to look at what readers of the page see of a record; what it returns says, after the change, whether they see
 * any difference. A translation counts while it is published.
 */
export function trackVisible(ctx: Context, look: () => unknown): () => boolean {
  const known = canonical(look())
  return () => {
    const { before, after } = ctx.beside
    const published = ({ translations, affected_items }: Record<string, unknown>) => {
      const variants = Object.entries((translations ?? {}) as Record<string, Variant | null>)
      return [affected_items, variants.map(([locale, one]) => [locale, one?.state === 'published' ? one.values : null])]
    }
    return canonical(look()) !== known || canonical(published(before)) !== canonical(published(after))
  }
}
