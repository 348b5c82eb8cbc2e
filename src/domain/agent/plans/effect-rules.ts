import { redact } from '../../../outbound/redaction-rules.ts'
import type { AnyOperation } from '../../kernel/operation.ts'

const LONGEST = { value: 120, all: 600 }

/** The effect of a step in words: what the operation does, to which record, with which values. */
export function effectOf(
  { summary, subject }: Pick<AnyOperation, 'summary' | 'subject'>,
  input: Record<string, unknown>,
  record?: { id: number; name?: string | undefined },
): string {
  const name = record?.name === undefined ? '' : ` "${cut(record.name, LONGEST.value)}"`
  const of = record && subject ? `: ${subject.kind.replaceAll('_', ' ')}${name} (${record.id})` : ''
  const values = Object.entries(redact(input) as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => `${field}: ${cut(inWords(value), LONGEST.value)}`)
  const withValues = values.length > 0 ? ` — ${values.join('; ')}` : ''
  return cut(`${summary}${of}${withValues}`, LONGEST.all)
}

/** A reference to a record by what names the record; other values as JSON. */
function inWords(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(inWords).join(', ')
  const names = value !== null && typeof value === 'object' ? Object.entries(value) : []
  const isRef = names.length > 0 && names.every(([name]) => ['id', 'slug', 'external_id'].includes(name))
  return isRef ? names.map(([, name]) => String(name)).join(' ') : JSON.stringify(value)
}

/** Cuts between characters, not inside one. */
function cut(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}
