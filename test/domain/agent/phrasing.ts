import type { IntentName, Memory } from '../../../src/domain/agent/language/types.ts'

/** A record by id, another kind than the name of the slot with the kind, or the ids or words of what stayed open. */
type Expected = number | string | { oneOf: number[] } | { unknown: string }

interface ExpectedSlots {
  item?: Expected
  items?: Expected[]
  incident?: Expected
  maintenance?: Expected
  series?: Expected
  beat?: Expected
  action?: Expected
  endpoint?: Expected
  status?: string
  stage?: string
  title?: string
  message?: string
  reason?: string
  /** Moments are in UTC and may leave out seconds. */
  start?: string
  end?: string
  until?: string
  at?: string
  from?: string
  to?: string
  minutes?: number
  shift?: number
  longer?: number
  days?: number
  topic?: string
  date?: string
}

/** What is not listed is expected to be absent. */
export type Phrasing = [
  query: string,
  intent: IntentName,
  slots?: ExpectedSlots,
  more?: { memory?: Memory; unclear?: string[] },
]
