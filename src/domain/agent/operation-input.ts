import { z } from 'zod'
import { invalid } from '../kernel/errors.ts'
import type { AnyOperation, SubjectRef } from '../kernel/operation.ts'
import { MAX_ID } from '../kernel/schema.ts'

/** Splits the input of a call by name: `id` or `external_id` names the record of an operation on one record. */
export function splitInput(
  { subject, input: schema }: Pick<AnyOperation, 'subject' | 'input'>,
  given: Record<string, unknown>,
): { input: Record<string, unknown>; ref?: SubjectRef } {
  if (!subject || subject.singleton) return { input: given }
  const { id, ...withoutId } = given
  if (id !== undefined) return { input: withoutId, ref: { id: idFrom(id) } }
  const { external_id, ...input } = given
  const isField = schema instanceof z.ZodObject && 'external_id' in schema.shape
  if (subject.external && !isField && typeof external_id === 'string') return { input, ref: { external_id } }
  return { input: given }
}

function idFrom(given: unknown): number {
  const id = typeof given === 'string' && /^\d{1,10}$/.test(given) ? Number(given) : given
  if (typeof id === 'number' && Number.isInteger(id) && id >= 1 && id <= MAX_ID) return id
  throw invalid([{ path: 'id', message: 'must be the id of a record: a whole number from 1' }])
}
