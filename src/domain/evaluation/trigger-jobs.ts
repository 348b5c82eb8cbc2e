import { createHash } from 'node:crypto'
import { parseExactly } from '../../outbound/exact-json-rules.ts'
import { MASK, redact } from '../../outbound/redaction-rules.ts'
import { nodesAt } from './json-paths.ts'
import { momentOf } from './operand-rules.ts'
import { unwrapEnvelope } from './sns-envelope.ts'
import { decideConditions, type Scope, storable, type TriggerConditions, valuesAt } from './trigger-conditions.ts'

/** Evaluates triggers for one event, on the evaluation thread. */

export interface TriggerProgram {
  each_path: string | null
  conditions: TriggerConditions | null
  stage_mapping: { state_path?: string; values?: Record<string, string>; default_stage?: string }
  output_mapping: {
    fingerprint_path?: string
    summary_path?: string
    error_message_path?: string
    region_path?: string
    external_event_id_path?: string
    observed_at_path?: string
  }
}

/** An event as it was accepted, or its redacted copy. */
export interface EventDocument {
  text: string
  headers: Record<string, string[]>
  receivedAt: number
}

/** What a trigger finds in an event, or in one element of the event. */
export interface ElementMatch {
  matched: boolean
  /** The condition that decided, in words. */
  leaf: string | null
  /** The text at `state_path`; null without one. */
  state: string | null
  stage: string | null
  /** Null if the mapped path is missing in the event; undefined without a mapped path. */
  fingerprint: string | null | undefined
  external_event_id: string | null
  summary: string | null
  error_message: string | null
  region: string | null
  observed_at: number | null
}

export interface EventMatches {
  /** The redacted copy as JSON. */
  redacted: string
  /** The link by which Amazon SNS confirms a subscription. */
  confirmationUrl: string | null
  /** How many alerts the sender left out of the event. */
  truncatedAlerts: number
  /** By trigger, in order; by element within a trigger. The last triggers are missing if there are too many elements. */
  matches: ElementMatch[][]
  /** How many elements a trigger left out because an event has too many. */
  leftOut: number[]
}

/** More elements of one event are not evaluated by a trigger. A job ends after as many: the event loop receives them in one go. */
export const MOST_ELEMENTS = 1000
const LONGEST_TEXT = 2000
const LONGEST_STATE = 200
/** The position of the parsing and the redaction, which are the fault of no trigger. */
export const BEFORE_TRIGGERS = -1

export function matchEvent(
  { text, headers, receivedAt }: EventDocument,
  programs: TriggerProgram[],
  at: (index: number) => void,
): EventMatches {
  at(BEFORE_TRIGGERS)
  const { body, confirmationUrl } = unwrapEnvelope(parseExactly(text) as Record<string, unknown>)
  const redacted = redact(body)
  const matches: ElementMatch[][] = []
  const leftOut: number[] = []
  let found = 0
  for (const [index, program] of programs.entries()) {
    if (found >= MOST_ELEMENTS) break
    at(index)
    const event = { headers, receivedAt }
    const elements = pairsOf(program, body, redacted)
    found += elements.length
    leftOut.push(Math.max(0, elements.length - MOST_ELEMENTS))
    matches.push(
      elements
        .slice(0, MOST_ELEMENTS)
        .map(([raw, masked]) =>
          matchElement(program, { ...event, body, element: raw }, { ...event, body: redacted, element: masked }),
        ),
    )
  }
  const { truncatedAlerts } = body as { truncatedAlerts?: unknown }
  return {
    redacted: JSON.stringify(redacted),
    confirmationUrl,
    truncatedAlerts: typeof truncatedAlerts === 'number' && truncatedAlerts > 0 ? truncatedAlerts : 0,
    matches,
    leftOut,
  }
}

/** Each element of the event with its redacted copy. */
function pairsOf({ each_path }: TriggerProgram, body: unknown, redacted: unknown): [unknown, unknown][] {
  if (each_path === null) return [[body, redacted]]
  return Array.from(nodesAt(each_path, body), ({ value, location }) => [value, valueAt(redacted, location)])
}

const valueAt = (value: unknown, location: readonly (string | number)[]): unknown =>
  location.reduce<unknown>(
    (inside, name) =>
      typeof inside === 'object' && inside !== null ? (inside as Record<string | number, unknown>)[name] : inside,
    value,
  )

function matchElement(program: TriggerProgram, raw: Scope, masked: Scope): ElementMatch {
  const { conditions, stage_mapping: stages, output_mapping: output } = program
  const decided = conditions === null ? { met: true, leaf: null } : decideConditions(conditions, raw)
  const unmapped = { state: null, stage: null, fingerprint: null, external_event_id: null }
  const nothing = { ...unmapped, summary: null, error_message: null, region: null, observed_at: null }
  if (!decided.met) return { matched: false, leaf: decided.leaf, ...nothing }
  const state = stages.state_path === undefined ? null : textAt(stages.state_path, raw)
  const named = state !== null && Object.hasOwn(stages.values ?? {}, state) ? stages.values![state]! : null
  const map = (path: string | undefined) => (path === undefined ? null : textAt(path, masked))
  return {
    matched: true,
    leaf: decided.leaf,
    // Shown in explanations, so from the copy.
    state: stages.state_path === undefined ? null : cut(textAt(stages.state_path, masked), LONGEST_STATE),
    stage: named ?? stages.default_stage ?? null,
    fingerprint: output.fingerprint_path === undefined ? undefined : idAt(output.fingerprint_path, raw, masked),
    external_event_id:
      output.external_event_id_path === undefined ? null : idAt(output.external_event_id_path, raw, masked),
    summary: cut(map(output.summary_path)),
    error_message: cut(map(output.error_message_path)),
    region: cut(map(output.region_path)),
    observed_at: output.observed_at_path === undefined ? null : momentAt(output.observed_at_path, raw),
  }
}

/** The first node of a path as text; null for a missing node and for null. */
function textAt(path: string, scope: Scope): string | null {
  for (const value of valuesAt(path, scope)) {
    if (value === null) return null
    return storable(typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return null
}

/** A later moment is of another unit, or of a clock that is wrong: the arrival counts. */
const LATEST_MS = 24 * 60 * 60 * 1000

/** The first moment at a path. The year 1 is what programs in Go write for "not ended", and is no moment. */
function momentAt(path: string, scope: Scope): number | null {
  for (const value of valuesAt(path, scope)) {
    const moment = momentOf(value)
    if (moment !== null && moment > 0 && moment < scope.receivedAt + LATEST_MS) return Math.floor(moment)
  }
  return null
}

const cut = (text: string | null, longest = LONGEST_TEXT) => (text === null ? null : storable(text.slice(0, longest)))

/** An id from the copy. Two ids that are masked alike differ by a hash. */
function idAt(path: string, raw: Scope, masked: Scope): string | null {
  const shown = textAt(path, masked)
  if (shown === null || !shown.includes(MASK)) return shortened(shown)
  const hash = createHash('sha256')
    .update(textAt(path, raw) ?? '')
    .digest('base64url')
  return shortened(`${shown} ${hash.slice(0, 8)}`)
}

const LONGEST_ID = 500

/** A longer text keeps its beginning and gets a hash of the whole, so that two long texts stay different. */
function shortened(text: string | null): string | null {
  if (text === null || text === '') return null
  if (text.length <= LONGEST_ID) return text
  return `${storable(text.slice(0, LONGEST_ID - 44))} ${createHash('sha256').update(text).digest('base64url')}`
}
