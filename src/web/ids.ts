import { notFound } from '../domain/kernel/errors.ts'
import { MAX_ID } from '../domain/kernel/schema.ts'

/** The id in a part of a path or of a query; undefined for any spelling other than a plain number. */
export function idIn(part: string | undefined): number | undefined {
  if (part === undefined || !/^[1-9]\d{0,9}$/.test(part)) return undefined
  return Number(part) <= MAX_ID ? Number(part) : undefined
}

/** The id in the path of a record of this kind. */
export function requireId({ id }: Record<string, string>, kind: string): number {
  const found = idIn(id)
  if (found === undefined) throw notFound(kind)
  return found
}
