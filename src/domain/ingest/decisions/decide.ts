import { createHash } from 'node:crypto'
import { type Stage, worstStage } from '../../beats/stage/stage-rules.ts'
import type { ElementMatch } from '../../evaluation/trigger-jobs.ts'

/** What an event means for the fingerprints of beats. Pure: inboxes and previews decide by the same function. */

export interface FingerprintState {
  endpoint_id: number
  beat_id: number
  fingerprint: string
  trigger_id: number
  stage: Stage
  /** When the present stage began, in the time of the source. */
  since: number
  observed_at: number
  event_id: number
  last_event_at: number
  silent_at: number | null
}

/** The fingerprints of some beats, and the event ids that were evaluated before. */
export interface Book {
  states: Map<string, FingerprintState>
  seen: Set<string>
  /** The states that a decision has changed. */
  changed: Set<FingerprintState>
  /** How many fingerprints of a beat have each stage. */
  open: Map<number, OpenCounts>
}

export const emptyBook = (): Book => ({ states: new Map(), seen: new Set(), changed: new Set(), open: new Map() })

type OpenCounts = Partial<Record<Stage, number>>

/** Enters a fingerprint in the book. */
export function addState(book: Book, state: FingerprintState): void {
  book.states.set(stateKey(state.endpoint_id, state.beat_id, state.fingerprint), state)
  count(book, state, 1)
}

function count({ open }: Book, { beat_id, stage }: FingerprintState, by: number): void {
  const counts = open.get(beat_id) ?? {}
  counts[stage] = (counts[stage] ?? 0) + by
  open.set(beat_id, counts)
}

function changeState(book: Book, state: FingerprintState, fields: Partial<FingerprintState>): void {
  count(book, state, -1)
  Object.assign(state, fields)
  count(book, state, 1)
}

const stateKey = (endpointId: number, beatId: number, fingerprint: string) => `${endpointId}:${beatId}:${fingerprint}`
export const seenKey = (triggerId: number, externalEventId: string) => `${triggerId}:${externalEventId}`

export interface Rule {
  id: number
  external_id: string | null
  source_id: number
  silence_minutes: number | null
}

export interface Occasion {
  rule: Rule
  event: { id: number; receivedAt: number }
  element: number
  match: ElementMatch
  /** The beats whose stage the rule sets. */
  beatIds: number[]
}

/** The identity of what happened: which thing, when, and which report of the thing. */
export interface Identity {
  fingerprint: string
  external_event_id: string
  observed_at: number
  stage: Stage
}

export type Change = 'opened' | 'changed' | 'resolved' | 'same' | 'unpaired' | 'stale'

export type Decision =
  | { kind: 'no_match' }
  | { kind: 'no_stage' }
  | ({ kind: 'duplicate' } & Identity)
  | ({ kind: 'observed'; change: Change; beats: { beatId: number; change: Change }[] } & Identity)

const MINUTE_MS = 60_000

/** Decides on one match, and enters the result in the book. */
export function decide(book: Book, occasion: Occasion): Decision {
  const { match, rule } = occasion
  if (!match.matched) return { kind: 'no_match' }
  if (match.stage === null) return { kind: 'no_stage' }
  const identity = identify(occasion, match.stage as Stage)
  const seen = seenKey(rule.id, identity.external_event_id)
  if (book.seen.has(seen)) {
    renewSilence(book, occasion, identity.fingerprint)
    return { kind: 'duplicate', ...identity }
  }
  book.seen.add(seen)
  const beats = occasion.beatIds.map((beatId) => ({ beatId, change: enter(book, occasion, beatId, identity) }))
  const change = changesBySeverity.find((one) => beats.some((beat) => beat.change === one)) ?? 'same'
  return { kind: 'observed', change, beats, ...identity }
}

const changesBySeverity: Change[] = ['opened', 'changed', 'resolved', 'same', 'unpaired', 'stale']

export function identify({ rule, event, element, match }: Occasion, stage: Stage): Identity {
  const observed_at = match.observed_at ?? event.receivedAt
  const own = rule.external_id ?? String(rule.id)
  // An event whose key is missing is a thing of its own.
  const fingerprint = match.fingerprint === undefined ? own : (match.fingerprint ?? `event ${event.id}:${element}`)
  const mapped = match.external_event_id
  const derived = () =>
    createHash('sha256')
      .update(JSON.stringify([fingerprint, rule.id, stage, observed_at, match.observed_at === null ? event.id : 0]))
      .digest('base64url')
  // A source that sends its fingerprint as the id of its events would have its recovery taken for a duplicate.
  const external_event_id = mapped === null || mapped === fingerprint ? derived() : mapped
  return { fingerprint, external_event_id, observed_at, stage }
}

/** Enters an observation of a beat, if it is later than the last one of its fingerprint. */
function enter(book: Book, occasion: Occasion, beatId: number, identity: Identity): Change {
  const { rule, event } = occasion
  const { fingerprint, stage, observed_at } = identity
  const key = stateKey(rule.source_id, beatId, fingerprint)
  const known = book.states.get(key)
  if (known && !isLater(occasion, observed_at, known)) {
    if (known.stage === stage) renewIn(book, known, occasion)
    return 'stale'
  }
  const change = changeOf(known, stage)
  const state: FingerprintState = known ?? {
    ...{ endpoint_id: rule.source_id, beat_id: beatId, fingerprint, trigger_id: rule.id, stage },
    ...{ since: observed_at, observed_at, event_id: event.id, last_event_at: event.receivedAt, silent_at: null },
  }
  if (!known) addState(book, state)
  const since = state.stage === stage ? state.since : observed_at
  changeState(book, state, { stage, since, observed_at, event_id: event.id, trigger_id: rule.id })
  renew(state, occasion)
  book.changed.add(state)
  return change
}

/** Events without a time of their own are in the order of their arrival. */
function isLater({ event, match }: Occasion, observedAt: number, known: FingerprintState): boolean {
  return match.observed_at === null ? event.id >= known.event_id : observedAt > known.observed_at
}

function changeOf(known: FingerprintState | undefined, stage: Stage): Change {
  if (!known || known.stage === 'healthy') return stage === 'healthy' ? 'unpaired' : 'opened'
  if (known.stage === stage) return 'same'
  return stage === 'healthy' ? 'resolved' : 'changed'
}

function renew(state: FingerprintState, { rule, event }: Occasion): void {
  state.last_event_at = Math.max(state.last_event_at, event.receivedAt)
  const silent = rule.silence_minutes !== null && state.stage !== 'healthy'
  state.silent_at = silent ? state.last_event_at + rule.silence_minutes! * MINUTE_MS : null
}

function renewIn(book: Book, state: FingerprintState, occasion: Occasion): void {
  if (state.stage === 'healthy') return
  renew(state, occasion)
  book.changed.add(state)
}

/** A repeated report changes nothing, but renews the silence timeout. */
function renewSilence(book: Book, occasion: Occasion, fingerprint: string): void {
  for (const beatId of occasion.beatIds) {
    const state = book.states.get(stateKey(occasion.rule.source_id, beatId, fingerprint))
    if (state) renewIn(book, state, occasion)
  }
}

/** The stage of a beat by its open fingerprints: the worst, and healthy without one. */
export function stageByFingerprints(book: Book, beatId: number): Stage {
  const counts = book.open.get(beatId) ?? {}
  return worstStage((['warning', 'critical'] as const).filter((stage) => (counts[stage] ?? 0) > 0)) ?? 'healthy'
}

/** Resolves the fingerprints whose silence timeout had passed at a moment. */
export function endSilence(book: Book, at: number): void {
  for (const state of book.states.values()) {
    if (state.silent_at === null || state.silent_at > at) continue
    changeState(book, state, { stage: 'healthy', since: state.silent_at, silent_at: null })
  }
}
