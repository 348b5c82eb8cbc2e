import { columnsContain } from '../../persistence/search.ts'
import { recordsPublishing } from '../../persistence/translations.ts'
import type { Kind } from './write.ts'

/**
 * Selects records that contain the text in one of their fields, ignoring case and accents; where `translated`, also in
 * published translations.
 */
export function containsText(kind: Kind, fields: readonly string[], search: string, translated: boolean): object {
  const own = columnsContain(fields, search)
  return translated ? { $or: [own, { id: { $in: recordsPublishing(kind, [...fields], search) } }] } : own
}
