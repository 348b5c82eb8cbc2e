import { z } from 'zod'
import type { AnyOperation, SubjectRef } from '../kernel/operation.ts'

/** Splits the input of a call by name: `id` or `external_id` names the record of an operation on one record. */
export function splitInput(
  { subject, input: schema }: Pick<AnyOperation, 'subject' | 'input'>,
  given: Record<string, unknown>,
): { input: Record<string, unknown>; ref?: SubjectRef } {
  if (!subject || subject.singleton) return { input: given }
  const { id, ...withoutId } = given
  const named = typeof id === 'string' ? Number(id) : id
  if (typeof named === 'number') return { input: withoutId, ref: { id: named } }
  const { external_id, ...input } = given
  const isField = schema instanceof z.ZodObject && 'external_id' in schema.shape
  if (subject.external && !isField && typeof external_id === 'string') return { input, ref: { external_id } }
  return { input: given }
}
