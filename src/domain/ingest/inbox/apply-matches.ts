import { LockMode } from '@mikro-orm/postgresql'
import { Beat } from '../../../persistence/entities/beat.ts'
import type { EventTrigger } from '../../../persistence/entities/event-trigger.ts'
import type { IngestEndpoint } from '../../../persistence/entities/ingest-endpoint.ts'
import {
  countMatches,
  fingerprintsOf,
  insertEvaluations,
  type NewEvaluation,
  saveFingerprints,
  seenEventIds,
} from '../../../persistence/ingest.ts'
import { changeStage } from '../../beats/stage/observe.ts'
import type { Stage } from '../../beats/stage/stage-rules.ts'
import type { ElementMatch } from '../../evaluation/trigger-jobs.ts'
import type { StepContext } from '../../kernel/step.ts'
import {
  addState,
  type Book,
  type Decision,
  decide,
  emptyBook,
  identify,
  type Occasion,
  seenKey,
  stageByFingerprints,
} from '../decisions/decide.ts'
import { explain, leftOutInWords, truncatedInWords } from '../decisions/explanations.ts'
import { endpointName } from '../endpoints/subject.ts'
import { type BeatsOfTrigger, beatsOfTriggers } from '../triggers/associations.ts'
import { countExpensive } from './expensive.ts'
import type { Matched } from './inbox-step.ts'
import { fingerprintFrom, storedFingerprint } from './stored-fingerprints.ts'

/** Writes what followed from a batch of events: evaluations, fingerprints, and transitions of beats. */
export async function applyMatches(ctx: StepContext, endpoint: IngestEndpoint, matched: Matched[]): Promise<void> {
  const { tx, pageId } = ctx
  const triggers = [...new Set(matched.flatMap(({ found }) => found.map(({ trigger }) => trigger)))]
  const beatsOf = await beatsOfTriggers(tx, triggers)
  const beats = await lockBeats(
    ctx,
    triggers.flatMap((trigger) => beatsOf(trigger).all),
  )
  const book = await readBook(ctx, endpoint, matched, beatsOf)
  const evaluations: NewEvaluation[] = []
  const expensive = new Map<EventTrigger, boolean[]>()
  for (const { event, truncatedAlerts, found } of matched) {
    for (const { trigger, match } of found) {
      expensive.set(trigger, [...(expensive.get(trigger) ?? []), match === 'too_expensive'])
      const common = { page_id: pageId, event_id: event.id, trigger_id: trigger.id, trigger_version: trigger.version }
      if (typeof match === 'string') {
        evaluations.push({ ...common, element: 0, outcome: match, ...unknown, explanation: failures[match] })
        continue
      }
      const left = match.leftOut > 0 ? `; ${leftOutInWords(match.leftOut)}` : ''
      const truncated = truncatedAlerts > 0 ? `; ${truncatedInWords(truncatedAlerts)}` : ''
      for (const [element, one] of match.elements.entries()) {
        const occasion: Occasion = {
          rule: trigger,
          event: { id: event.id, receivedAt: event.received_at.getTime() },
          element,
          match: one,
          beatIds: beatsOf(trigger).stage,
        }
        const decision = decide(book, occasion)
        const effect = follow(ctx, { endpoint, book, beats, occasion, decision, trigger, beatsOf })
        evaluations.push({
          ...common,
          element,
          outcome: effect.outcome,
          leaf: one.leaf,
          ...identityOf(decision),
          explanation: `${effect.explanation}${left}${truncated}`,
          transitions: effect.transitions,
        })
      }
      if (match.elements.length === 0) {
        const explanation = `No match: the event has no element at ${trigger.each_path}`
        evaluations.push({ ...common, element: 0, outcome: 'no_match', ...unknown, explanation })
      }
    }
  }
  await tx.flush()
  await insertEvaluations(tx, evaluations)
  await saveFingerprints(tx, pageId, [...book.changed].map(storedFingerprint))
  await countMatches(tx, countsOf(matched))
  await countExpensive(ctx, expensive, beatsOf)
}

const failures = {
  too_expensive: 'The trigger used more CPU time for this event than a trigger may use',
  error: 'The trigger could not be evaluated for this event',
}

const unknown = {
  leaf: null,
  stage: null,
  fingerprint: null,
  external_event_id: null,
  observed_at: null,
  transitions: [],
}

function identityOf(decision: Decision) {
  if (!('fingerprint' in decision))
    return { stage: null, fingerprint: null, external_event_id: null, observed_at: null }
  const { stage, fingerprint, external_event_id, observed_at } = decision
  return { stage, fingerprint, external_event_id, observed_at: new Date(observed_at) }
}

async function lockBeats({ tx }: StepContext, ids: number[]): Promise<Map<number, Beat>> {
  const beats = await tx.find(
    Beat,
    { id: { $in: [...new Set(ids)] } },
    { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  )
  return new Map(beats.map((beat) => [beat.id, beat]))
}

/** The fingerprints and event ids that the decisions on this batch depend on. */
async function readBook(
  { tx }: StepContext,
  endpoint: IngestEndpoint,
  matched: Matched[],
  beatsOf: BeatsOfTrigger,
): Promise<Book> {
  const book = emptyBook()
  const fingerprints = new Set<string>()
  const ids = new Map<string, [number, string]>()
  const beatIds = new Set<number>()
  for (const { event, found } of matched) {
    for (const { trigger, match } of found) {
      if (typeof match === 'string') continue
      for (const [element, one] of match.elements.entries()) {
        if (!one.matched || one.stage === null) continue
        const place = { id: event.id, receivedAt: event.received_at.getTime() }
        const occasion = { rule: trigger, event: place, element, match: one, beatIds: [] }
        const { fingerprint, external_event_id } = identify(occasion, one.stage as Stage)
        fingerprints.add(fingerprint)
        ids.set(seenKey(trigger.id, external_event_id), [trigger.id, external_event_id])
        for (const id of beatsOf(trigger).stage) beatIds.add(id)
      }
    }
  }
  const named = { endpointId: endpoint.id, fingerprints: [...fingerprints] }
  for (const row of await fingerprintsOf(tx, [...beatIds], named)) {
    addState(book, fingerprintFrom(row))
  }
  for (const key of await seenEventIds(tx, [...ids.values()])) book.seen.add(key)
  return book
}

interface Following {
  endpoint: IngestEndpoint
  book: Book
  beats: Map<number, Beat>
  occasion: Occasion
  decision: Decision
  trigger: EventTrigger
  beatsOf: BeatsOfTrigger
}

interface Effect {
  outcome: string
  explanation: string
  transitions: { beat_id: number; number: number }[]
}

/** Changes the stages of the beats, by the one function that changes stages. */
function follow(ctx: StepContext, { decision, occasion, trigger, ...others }: Following): Effect {
  const { match } = occasion
  const explanation = explain(decision, match)
  if (decision.kind !== 'observed') return { outcome: decision.kind, explanation, transitions: [] }
  if (decision.change === 'stale') return { outcome: 'stale', explanation, transitions: [] }
  const { endpoint, book, beats, beatsOf } = others
  const evidence = evidenceOf(match, endpoint, occasion)
  const transitions: Effect['transitions'] = []
  const disabled: string[] = []
  for (const beatId of beatsOf(trigger).evidence) {
    const beat = beats.get(beatId)
    if (beat) beat.last_evidence_summary = evidence
  }
  for (const { beatId, change } of decision.beats) {
    const beat = beats.get(beatId)
    if (!beat || change === 'stale') continue
    if (!beat.enabled) {
      disabled.push(`the beat "${beat.name}" (${beat.id}) is disabled`)
      continue
    }
    beat.unknown_since = null
    beat.unknown_because = null
    const stage = stageByFingerprints(book, beatId)
    if (stage === beat.current_stage) {
      beat.last_evidence_summary = evidence
      continue
    }
    const { number } = changeStage(ctx, beat, {
      stage,
      key: `event:${occasion.event.id}:${trigger.id}:${occasion.element}:${beat.transition_number + 1}`,
      cause: `the event ${occasion.event.id} of the ${endpointName(endpoint)}, by the trigger "${trigger.name}" (${trigger.id})`,
      evidence,
      facts: factsOf(ctx, endpoint, { trigger, occasion, fingerprint: decision.fingerprint, stage }),
    })
    transitions.push({ beat_id: beat.id, number })
  }
  if (transitions.length > 0) {
    const named = transitions.map(({ beat_id, number }) => `transition ${number} of the beat ${beat_id}`).join(', ')
    return { outcome: 'transition', explanation: `${explanation}; ${named} followed`, transitions }
  }
  if (decision.beats.length === 0 && beatsOf(trigger).evidence.length === 0) {
    return {
      outcome: 'suppressed',
      explanation: `${explanation}; the trigger has no beat whose stage it sets`,
      transitions,
    }
  }
  if (disabled.length > 0 && disabled.length === decision.beats.length) {
    return { outcome: 'suppressed', explanation: `${explanation}; ${disabled.join(', ')}`, transitions }
  }
  return { outcome: 'evidence_updated', explanation: `${explanation}; no beat changes its stage`, transitions }
}

function evidenceOf({ summary, error_message }: ElementMatch, endpoint: IngestEndpoint, { event }: Occasion): string {
  const said = [summary, error_message].filter((text) => text !== null && text.trim() !== '')
  return said.length > 0 ? said.join(': ') : `Event ${event.id} of the ${endpointName(endpoint)}`
}

/** The facts behind a transition: the source of a review, and the stricter mode of public posts. */
function factsOf(
  _ctx: StepContext,
  endpoint: IngestEndpoint,
  {
    trigger,
    occasion,
    fingerprint,
    stage,
  }: Pick<Following, 'trigger' | 'occasion'> & { fingerprint: string; stage: Stage },
) {
  const { region } = occasion.match
  const { public_post_mode } = trigger.safety_settings
  return {
    ...(region === null ? {} : { region }),
    ...(public_post_mode === undefined ? {} : { public_post_mode }),
    source: {
      source_id: endpoint.id,
      source_name: endpoint.name,
      ...(endpoint.external_id === null ? {} : { source_external_id: endpoint.external_id }),
      provider_type: endpoint.provider_type,
      inbox_event_id: occasion.event.id,
      trigger_id: trigger.id,
      trigger_name: trigger.name,
      ...(trigger.external_id === null ? {} : { trigger_external_id: trigger.external_id }),
      fingerprint,
      target_stage: stage,
      admin_path: `/api/v1/admin/external-events/${occasion.event.id}`,
    },
  }
}

function countsOf(matched: Matched[]) {
  const counts = new Map<number, { id: number; matched: number; last_matched_at: Date | null }>()
  for (const { event, found } of matched) {
    for (const { trigger, match } of found) {
      const count = counts.get(trigger.id) ?? { id: trigger.id, matched: 0, last_matched_at: null }
      const hits = typeof match === 'string' ? 0 : match.elements.filter((one) => one.matched).length
      if (hits > 0)
        counts.set(trigger.id, { ...count, matched: count.matched + hits, last_matched_at: event.received_at })
    }
  }
  return [...counts.values()]
}
