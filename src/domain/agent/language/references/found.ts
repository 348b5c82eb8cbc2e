import { plain } from '../lexing/lexer.ts'
import type { Found, NamedRecord, RecordKind, RecordSlot } from '../types.ts'

interface KindAndRecord {
  kind: RecordKind
  record: NamedRecord
}

const MOST_CANDIDATES = 10

export const slotOf = (kind: RecordKind, { id, name }: NamedRecord): RecordSlot => ({ kind, id, name })

export const unknownRecord = (kind: RecordKind, text: string): Found => ({ kind, text, candidates: [] })

/** Records in the states that an intent is about, if any is. */
export function inStates<R extends { state?: string }>(records: readonly R[], states: string[] | undefined): R[] {
  const matching = records.filter(({ state }) => !states || state === undefined || states.includes(state))
  return matching.length > 0 ? matching : [...records]
}

/** One record, or the candidates; of several the one whose name is written in the same letters. */
export function foundOf(text: string, named: KindAndRecord[]): Found {
  const distinct = [...new Map(named.map((one) => [`${one.kind} ${one.record.id}`, one])).values()]
  const exact = distinct.filter(({ record }) => record.name === text)
  const similar = exact.length > 0 ? exact : distinct.filter(({ record }) => plain(record.name) === plain(text))
  const [first, ...others] = similar.length > 0 ? similar : distinct
  if (others.length === 0) return slotOf(first!.kind, first!.record)
  const candidates = [first!, ...others].slice(0, MOST_CANDIDATES).map(({ kind, record }) => slotOf(kind, record))
  return { kind: first!.kind, text, candidates }
}
