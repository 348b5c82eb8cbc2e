import type { z } from 'zod'
import { canonical } from './canonical.ts'
import type { Context } from './context.ts'
import { invalid } from './errors.ts'
import { isCompared } from './schema.ts'

/** The read-only fields of a request that are compared with the record. */
export function readOnlyIn(schema: z.ZodObject, input: object): Record<string, unknown> {
  const shape = schema.shape as Record<string, z.ZodType>
  return Object.fromEntries(
    Object.entries(input).filter(([name, value]) => value !== undefined && shape[name] && isCompared(shape[name])),
  )
}

/** Refuses a read-only field whose value is not the stored value. Null matches an absent value. */
export function requireStored(ctx: Context, stored: Record<string, unknown>): void {
  const errors = Object.entries(ctx.readOnly).flatMap(([path, value]) => {
    const kept = stored[path] ?? null
    if (canonical(value ?? null) === canonical(kept)) return []
    return { path, message: `is read-only: the stored value is ${JSON.stringify(kept)}` }
  })
  ctx.readOnly = {}
  if (errors.length > 0) throw invalid(errors)
}

/** Refuses, at the end of an operation, read-only fields that were compared with no stored record. */
export function requireCompared({ readOnly }: Context): void {
  const errors = Object.keys(readOnly).map((path) => ({ path, message: SET_BY_SERVICE }))
  if (errors.length > 0) throw invalid(errors)
}

export const SET_BY_SERVICE = 'is read-only: the service sets this field, leave it out'
