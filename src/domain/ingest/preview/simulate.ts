import type { StoredEvent } from '../../../persistence/ingest-events.ts'
import type { Stage } from '../../beats/stage/stage-rules.ts'
import type { Evaluator } from '../../evaluation/evaluator.ts'
import type { ElementMatch } from '../../evaluation/trigger-jobs.ts'
import { invalid } from '../../kernel/errors.ts'
import {
  type Change,
  decide,
  endSilence,
  type Known,
  nothingKnown,
  type Rule,
  stageByFingerprints,
} from '../decisions/decide.ts'
import { matchEvent, overloaded, programOf, type Rules } from '../decisions/match-event.ts'
import type { Label } from './schema.ts'

/** Evaluates a trigger over stored events as its inbox would, without writing. */

export type SimulatedRule = Rule & Rules

/** A match of the trigger, and what followed. */
export interface Simulated {
  event_id: number
  receivedAt: number
  element: number
  label: Label
  change: Change | null
  stage: Stage
  fingerprint: string
  leaf: string | null
  /** The beats whose stage would change. */
  transitions: { beatId: number; stage: Stage }[]
}

export interface Simulation {
  evaluated: number
  /** How many events the trigger matched. */
  matchedEvents: number
  results: Simulated[]
}

/** Stands for the beats of a trigger that has none. */
const NO_BEAT = 0

export async function simulate(
  thread: { evaluator: Evaluator; pageId: number },
  rule: SimulatedRule,
  beatIds: number[],
  events: AsyncIterable<StoredEvent>,
): Promise<Simulation> {
  const course: Course = { known: nothingKnown(), stages: new Map(), rule, beatIds }
  const simulation: Simulation = { evaluated: 0, matchedEvents: 0, results: [] }
  for await (const event of events) {
    const receivedAt = event.received_at.getTime()
    endSilence(course.known, receivedAt)
    const document = { text: event.body, headers: event.headers, receivedAt }
    const result = await matchEvent(thread.evaluator, thread.pageId, document, [programOf(rule)])
    if (typeof result === 'string') throw overloaded()
    const [match] = result.matches
    simulation.evaluated += 1
    if (match === 'too_expensive') throw tooExpensive(event.id)
    if (match === undefined || match === 'error') continue
    if (match.elements.some(({ matched }) => matched)) simulation.matchedEvents += 1
    for (const [element, one] of match.elements.entries()) {
      const simulated = follow(course, { id: event.id, receivedAt }, element, one)
      if (simulated) simulation.results.push(simulated)
    }
  }
  return simulation
}

/** Each further event would use as much time, so the preview ends. */
const tooExpensive = (eventId: number) =>
  invalid([{ path: 'trigger', message: `uses more CPU time for the event ${eventId} than a trigger may use` }])

/** The state of the beats in the course of a simulation. */
interface Course {
  known: Known
  stages: Map<number, Stage>
  rule: SimulatedRule
  beatIds: number[]
}

function follow(
  { known, stages, rule, beatIds }: Course,
  event: { id: number; receivedAt: number },
  element: number,
  match: ElementMatch,
): Simulated | null {
  const ids = beatIds.length > 0 ? beatIds : [NO_BEAT]
  const decision = decide(known, { rule, event, element, match, beatIds: ids })
  if (!('fingerprint' in decision)) return null
  const change = decision.kind === 'observed' ? decision.change : null
  const transitions = beatIds.flatMap((beatId) => {
    const stage = stageByFingerprints(known, beatId)
    if (change === null || change === 'stale' || stages.get(beatId) === stage) return []
    stages.set(beatId, stage)
    return [{ beatId, stage }]
  })
  const { stage, fingerprint } = decision
  const seen = { event_id: event.id, receivedAt: event.receivedAt, element, leaf: match.leaf }
  return { ...seen, label: change === null ? 'duplicate' : labels[change], change, stage, fingerprint, transitions }
}

const labels: Record<Change, Label> = {
  opened: 'firing',
  changed: 'firing',
  resolved: 'recovery',
  unpaired: 'recovery',
  same: 'evidence_update',
  stale: 'stale',
}
