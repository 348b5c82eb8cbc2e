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
    .map(
      ([field, value]) => `${field}: ${cut(typeof value === 'string' ? value : JSON.stringify(value), LONGEST.value)}`,
    )
  const withValues = values.length > 0 ? ` — ${values.join('; ')}` : ''
  return cut(`${summary}${of}${withValues}`, LONGEST.all)
}

/** Cuts between characters, not inside one. */
function cut(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}
