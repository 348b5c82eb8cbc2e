import type { EventTrigger } from '../../../persistence/entities/event-trigger.ts'
import type { Evaluator } from '../../evaluation/evaluator.ts'
import {
  BEFORE_TRIGGERS,
  type ElementMatch,
  type EventDocument,
  type TriggerProgram,
} from '../../evaluation/trigger-jobs.ts'
import { Problem } from '../../kernel/errors.ts'

/** What the evaluation thread found for one trigger. */
export type TriggerMatch = { elements: ElementMatch[]; leftOut: number } | 'too_expensive' | 'error'

export interface MatchedEvent {
  /** Null if the copy could not be made. */
  redacted: string | null
  confirmationUrl: string | null
  truncatedAlerts: number
  /** By trigger, in order. With many elements the job ends before the last triggers: evaluate these in another job. */
  matches: TriggerMatch[]
}

export type Rules = Pick<EventTrigger, 'each_path' | 'conditions' | 'stage_mapping' | 'output_mapping'>

export const programOf = ({ each_path, conditions, stage_mapping, output_mapping }: Rules): TriggerProgram =>
  ({ each_path, conditions, stage_mapping, output_mapping }) as TriggerProgram

/** An event that cannot be read within the budget: its evaluations have errors, and the next events are evaluated. */
const unreadable: MatchedEvent = { redacted: null, confirmationUrl: null, truncatedAlerts: 0, matches: [] }

/**
 * Evaluates triggers for an event in one job. A trigger that exhausts the budget of a job alone is too expensive, and a
 * trigger that fails alone has an error; with others the caller has to evaluate them one by one.
 */
export async function matchEvent(
  evaluator: Evaluator,
  pageId: number,
  event: EventDocument,
  programs: TriggerProgram[],
): Promise<MatchedEvent | 'overloaded' | 'one by one'> {
  const result = await evaluator.match(pageId, event, programs).catch(() => ({ ended: 'failed' as const, at: 0 }))
  if (!('ended' in result)) {
    const { matches, leftOut, ...rest } = result
    return { ...rest, matches: matches.map((elements, index) => ({ elements, leftOut: leftOut[index]! })) }
  }
  if (result.ended === 'overloaded') return 'overloaded'
  if (result.at === BEFORE_TRIGGERS || programs.length === 0) {
    return { ...unreadable, matches: programs.map(() => 'error' as const) }
  }
  if (programs.length > 1) return 'one by one'
  const bare = await matchEvent(evaluator, pageId, event, [])
  if (typeof bare === 'string') return 'overloaded'
  return { ...bare, matches: [result.ended === 'failed' ? 'error' : 'too_expensive'] }
}

/** For requests, which do not wait for the thread. */
export const overloaded = () =>
  new Problem('unavailable', 'The service has too many events to evaluate: try again later.')
