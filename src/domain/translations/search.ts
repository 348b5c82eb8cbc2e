import { publishedSaying } from '../../persistence/translations.ts'
import type { Kind } from './write.ts'

/** Records that hold this in one of their fields; where `translated`, in whatever language it is published in. */
export function saying(kind: Kind, fields: readonly string[], search: string, translated: boolean): object {
  const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  const says: object[] = fields.map((field) => ({ [field]: { $ilike: like } }))
  if (translated) says.push({ id: { $in: publishedSaying(kind, [...fields], like) } })
  return { $or: says }
}
