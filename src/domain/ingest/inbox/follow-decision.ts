import type { Beat } from '../../../persistence/entities/beat.ts'
import type { EventTrigger } from '../../../persistence/entities/event-trigger.ts'
import type { IngestEndpoint } from '../../../persistence/entities/ingest-endpoint.ts'
import { beatName } from '../../beats/definition/naming-rules.ts'
import { applyObservation } from '../../beats/stage/observe.ts'
import type { Stage } from '../../beats/stage/stage-rules.ts'
import type { ElementMatch } from '../../evaluation/trigger-jobs.ts'
import type { StepContext } from '../../kernel/step.ts'
import { type Decision, type Finding, type Known, stageByFingerprints } from '../decisions/decide.ts'
import { explain } from '../decisions/explanations.ts'
import { endpointName } from '../endpoints/subject.ts'
import type { BeatsOfTrigger } from '../triggers/associations.ts'
import { triggerName } from '../triggers/subject.ts'

export interface Following {
  endpoint: IngestEndpoint
  known: Known
  beats: Map<number, Beat>
  finding: Finding
  decision: Decision
  trigger: EventTrigger
  beatsOf: BeatsOfTrigger
}

interface Effect {
  outcome: string
  explanation: string
  transitions: { beat_id: number; number: number }[]
}

/** Changes the stages of the beats of a trigger by a decision. */
export function followDecision(ctx: StepContext, { decision, finding, trigger, ...others }: Following): Effect {
  const { match } = finding
  const explanation = explain(decision, match)
  if (decision.kind !== 'observed') return { outcome: decision.kind, explanation, transitions: [] }
  if (decision.change === 'stale') return { outcome: 'stale', explanation, transitions: [] }
  const { endpoint, known, beats, beatsOf } = others
  const evidence = evidenceOf(match, endpoint, finding)
  const transitions: Effect['transitions'] = []
  const followed: string[] = []
  const disabled: string[] = []
  for (const beatId of beatsOf(trigger).evidence) {
    const beat = beats.get(beatId)
    if (beat) beat.last_evidence_summary = evidence
  }
  for (const { beatId, change } of decision.beats) {
    const beat = beats.get(beatId)
    if (!beat || change === 'stale') continue
    if (!beat.enabled) {
      disabled.push(`the ${beatName(beat)} is disabled`)
      continue
    }
    const stage = stageByFingerprints(known, beatId)
    const transition = applyObservation(ctx, beat, {
      stage,
      key: `event:${finding.event.id}:${trigger.id}:${finding.element}:${beat.transition_number + 1}`,
      cause: `the event ${finding.event.id} of the ${endpointName(endpoint)}, by the ${triggerName(trigger)}`,
      evidence,
      facts: factsOf(endpoint, trigger, finding, { fingerprint: decision.fingerprint, stage }),
    })
    if (transition === null) beat.last_evidence_summary = evidence
    else {
      transitions.push({ beat_id: beat.id, number: transition.number })
      followed.push(`transition ${transition.number} of the ${beatName(beat)}`)
    }
  }
  if (transitions.length > 0) {
    return { outcome: 'transition', explanation: `${explanation}; ${followed.join(', ')} followed`, transitions }
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

function evidenceOf({ summary, error_message }: ElementMatch, endpoint: IngestEndpoint, { event }: Finding): string {
  const said = [summary, error_message].filter((text) => text !== null && text.trim() !== '')
  return said.length > 0 ? said.join(': ') : `Event ${event.id} of the ${endpointName(endpoint)}`
}

/** The facts behind a transition: the source of a review, and the stricter mode of public posts. */
function factsOf(
  endpoint: IngestEndpoint,
  trigger: EventTrigger,
  { match, event }: Finding,
  { fingerprint, stage }: { fingerprint: string; stage: Stage },
) {
  const { region } = match
  const { public_post_mode } = trigger.safety_settings
  return {
    ...(region === null ? {} : { region }),
    ...(public_post_mode === undefined ? {} : { public_post_mode }),
    source: {
      source_id: endpoint.id,
      source_name: endpoint.name,
      ...(endpoint.external_id === null ? {} : { source_external_id: endpoint.external_id }),
      provider_type: endpoint.provider_type,
      inbox_event_id: event.id,
      trigger_id: trigger.id,
      trigger_name: trigger.name,
      ...(trigger.external_id === null ? {} : { trigger_external_id: trigger.external_id }),
      fingerprint,
      target_stage: stage,
      admin_path: `/api/v1/admin/external-events/${event.id}`,
    },
  }
}
