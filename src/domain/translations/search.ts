import { columnsContain } from '../../persistence/search.ts'
import { recordsPublishing } from '../../persistence/translations.ts'
import type { Kind } from './write.ts'

/**
 * Records that contain this text in one of their fields, whatever its case and accents; where `translated`, in any
 * language in which the field is published.
 */
export function saying(kind: Kind, fields: readonly string[], search: string, translated: boolean): object {
  const own = columnsContain(fields, search)
  return translated ? { $or: [own, { id: { $in: recordsPublishing(kind, [...fields], search) } }] } : own
}
