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

/** What decisions depend on: the fingerprints of some beats, and the event ids that were evaluated before. */
export interface Known {
  states: Map<string, FingerprintState>
  seen: Set<string>
  /** The states that a decision has changed. */
  changed: Set<FingerprintState>
  /** How many fingerprints of a beat have each stage. */
  open: Map<number, OpenCounts>
}

export const nothingKnown = (): Known => ({ states: new Map(), seen: new Set(), changed: new Set(), open: new Map() })

type OpenCounts = Partial<Record<Stage, number>>

/** Adds a fingerprint to what is known. */
export function addState(known: Known, state: FingerprintState): void {
  known.states.set(stateKey(state.endpoint_id, state.beat_id, state.fingerprint), state)
  count(known, state, 1)
}

function count({ open }: Known, { beat_id, stage }: FingerprintState, by: number): void {
  const counts = open.get(beat_id) ?? {}
  counts[stage] = (counts[stage] ?? 0) + by
  open.set(beat_id, counts)
}

function changeState(known: Known, state: FingerprintState, fields: Partial<FingerprintState>): void {
  count(known, state, -1)
  Object.assign(state, fields)
  count(known, state, 1)
}

const stateKey = (endpointId: number, beatId: number, fingerprint: string) => `${endpointId}:${beatId}:${fingerprint}`
export const seenKey = (triggerId: number, externalEventId: string) => `${triggerId}:${externalEventId}`

export interface Rule {
  id: number
  external_id: string | null
  source_id: number
  silence_minutes: number | null
}

/** What a trigger found in one element of an event. */
export interface Finding {
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
  /** `change` is null for a trigger that sets the stage of no beat. */
  | ({ kind: 'observed'; change: Change | null; beats: { beatId: number; change: Change }[] } & Identity)

const MINUTE_MS = 60_000

/** Decides on what a trigger found in one element of an event, and adds the result to what is known. */
export function decide(known: Known, finding: Finding): Decision {
  const { match, rule } = finding
  if (!match.matched) return { kind: 'no_match' }
  if (match.stage === null) return { kind: 'no_stage' }
  const identity = identify(finding, match.stage as Stage)
  const seen = seenKey(rule.id, identity.external_event_id)
  if (known.seen.has(seen)) {
    renewSilence(known, finding, identity.fingerprint)
    return { kind: 'duplicate', ...identity }
  }
  known.seen.add(seen)
  const beats = finding.beatIds.map((beatId) => ({ beatId, change: record(known, finding, beatId, identity) }))
  const change = changesBySeverity.find((one) => beats.some((beat) => beat.change === one)) ?? null
  return { kind: 'observed', change, beats, ...identity }
}

const changesBySeverity: Change[] = ['opened', 'changed', 'resolved', 'same', 'unpaired', 'stale']

export function identify({ rule, event, element, match }: Finding, stage: Stage): Identity {
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

/** Records a finding for a beat, if the finding is later than the last one of its fingerprint. */
function record(known: Known, finding: Finding, beatId: number, identity: Identity): Change {
  const { rule, event } = finding
  const { fingerprint, stage, observed_at } = identity
  const key = stateKey(rule.source_id, beatId, fingerprint)
  const previous = known.states.get(key)
  if (previous && !isLater(finding, observed_at, previous)) {
    if (previous.stage === stage) renewIn(known, previous, finding)
    return 'stale'
  }
  const change = changeOf(previous, stage)
  const state: FingerprintState = previous ?? {
    ...{ endpoint_id: rule.source_id, beat_id: beatId, fingerprint, trigger_id: rule.id, stage },
    ...{ since: observed_at, observed_at, event_id: event.id, last_event_at: event.receivedAt, silent_at: null },
  }
  if (!previous) addState(known, state)
  const since = state.stage === stage ? state.since : observed_at
  changeState(known, state, { stage, since, observed_at, event_id: event.id, trigger_id: rule.id })
  renew(state, finding)
  known.changed.add(state)
  return change
}

/** Events without a time of their own are in the order of their arrival. */
function isLater({ event, match }: Finding, observedAt: number, previous: FingerprintState): boolean {
  return match.observed_at === null ? event.id >= previous.event_id : observedAt > previous.observed_at
}

function changeOf(previous: FingerprintState | undefined, stage: Stage): Change {
  if (!previous || previous.stage === 'healthy') return stage === 'healthy' ? 'unpaired' : 'opened'
  if (previous.stage === stage) return 'same'
  return stage === 'healthy' ? 'resolved' : 'changed'
}

function renew(state: FingerprintState, { rule, event }: Finding): void {
  state.last_event_at = Math.max(state.last_event_at, event.receivedAt)
  const silent = rule.silence_minutes !== null && state.stage !== 'healthy'
  state.silent_at = silent ? state.last_event_at + rule.silence_minutes! * MINUTE_MS : null
}

function renewIn(known: Known, state: FingerprintState, finding: Finding): void {
  if (state.stage === 'healthy') return
  renew(state, finding)
  known.changed.add(state)
}

/** A repeated report changes nothing, but renews the silence timeout. */
function renewSilence(known: Known, finding: Finding, fingerprint: string): void {
  for (const beatId of finding.beatIds) {
    const state = known.states.get(stateKey(finding.rule.source_id, beatId, fingerprint))
    if (state) renewIn(known, state, finding)
  }
}

/** The stage of a beat by its open fingerprints: the worst, and healthy without one. */
export function stageByFingerprints(known: Known, beatId: number): Stage {
  const counts = known.open.get(beatId) ?? {}
  return worstStage((['warning', 'critical'] as const).filter((stage) => (counts[stage] ?? 0) > 0)) ?? 'healthy'
}

/** Resolves the fingerprints whose silence timeout had passed at a moment. */
export function endSilence(known: Known, at: number): void {
  for (const state of known.states.values()) {
    if (state.silent_at === null || state.silent_at > at) continue
    changeState(known, state, { stage: 'healthy', since: state.silent_at, silent_at: null })
  }
}
