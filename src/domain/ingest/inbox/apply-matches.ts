import type { IngestEndpoint } from '../../../persistence/entities/ingest-endpoint.ts'
import { countMatches, insertEvaluations, type NewEvaluation } from '../../../persistence/event-evaluations.ts'
import { saveFingerprints } from '../../../persistence/fingerprints.ts'
import { lockBeats } from '../../beats/stage/lock-beats.ts'
import { laterOf } from '../../beats/stage/observe.ts'
import type { StepContext } from '../../kernel/step.ts'
import { type Decision, decide, type Finding } from '../decisions/decide.ts'
import { leftOutInWords, truncatedInWords } from '../decisions/explanations.ts'
import { beatsOfTriggers } from '../triggers/associations.ts'
import { countExpensive } from './expensive.ts'
import { followDecision } from './follow-decision.ts'
import type { Matched } from './match-batch.ts'
import { openPauses } from './pauses.ts'
import { readKnown } from './read-known.ts'
import { storedFingerprint } from './stored-fingerprints.ts'

/** Writes what followed from a batch of events: evaluations, fingerprints, and transitions of beats. */
export async function applyMatches(ctx: StepContext, endpoint: IngestEndpoint, matched: Matched[]): Promise<void> {
  const { tx, pageId } = ctx
  const triggers = [...new Set(matched.flatMap(({ found }) => found.map(({ trigger }) => trigger)))]
  const beatsOf = await beatsOfTriggers(tx, triggers)
  const locked = await lockBeats(ctx, { id: { $in: triggers.flatMap((trigger) => beatsOf(trigger).all) } })
  // The evaluation and the wait for the locks took time.
  ctx.now = laterOf(ctx.now, ctx.clock())
  const beats = new Map(locked.map((beat) => [beat.id, beat]))
  const known = await readKnown(ctx, endpoint, matched, beatsOf)
  const evaluations: NewEvaluation[] = []
  const pause = openPauses()
  for (const { event, truncatedAlerts, found } of matched) {
    for (const { trigger, match } of found) {
      const common = { page_id: pageId, event_id: event.id, trigger_id: trigger.id, trigger_version: trigger.version }
      if (typeof match === 'string') {
        evaluations.push({ ...common, element: 0, outcome: match, ...unknown, explanation: failures[match] })
        continue
      }
      const left = match.leftOut > 0 ? `; ${leftOutInWords(match.leftOut)}` : ''
      const truncated = truncatedAlerts > 0 ? `; ${truncatedInWords(truncatedAlerts)}` : ''
      for (const [element, one] of match.elements.entries()) {
        await pause(1)
        const finding: Finding = {
          rule: trigger,
          event: { id: event.id, receivedAt: event.received_at.getTime() },
          element,
          match: one,
          beatIds: beatsOf(trigger).stage,
        }
        const decision = decide(known, finding)
        const effect = followDecision(ctx, { endpoint, known, beats, finding, decision, trigger, beatsOf })
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
  await saveFingerprints(tx, pageId, [...known.changed].map(storedFingerprint))
  await countMatches(tx, countsOf(matched))
  await countExpensive(ctx, matched, beatsOf)
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
