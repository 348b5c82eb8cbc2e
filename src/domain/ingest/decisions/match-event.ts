import type { EventTrigger } from '../../../persistence/entities/event-trigger.ts'
import type { Evaluator } from '../../evaluation/evaluator.ts'
import {
  BEFORE_TRIGGERS,
  type ElementMatch,
  type EventDocument,
  type TriggerProgram,
} from '../../evaluation/trigger-jobs.ts'

/** What the evaluation thread found for one trigger. */
export type TriggerMatch = { elements: ElementMatch[]; leftOut: number } | 'too_expensive' | 'error'

export interface MatchedEvent {
  redacted: string
  confirmationUrl: string | null
  truncatedAlerts: number
  matches: TriggerMatch[]
}

export type Rules = Pick<EventTrigger, 'each_path' | 'conditions' | 'stage_mapping' | 'output_mapping'>

export const programOf = ({ each_path, conditions, stage_mapping, output_mapping }: Rules): TriggerProgram =>
  ({ each_path, conditions, stage_mapping, output_mapping }) as TriggerProgram

/** An event whose copy cannot be made: its evaluations have errors, and the next events are evaluated. */
const unreadable: MatchedEvent = { redacted: '{}', confirmationUrl: null, truncatedAlerts: 0, matches: [] }

/**
 * Evaluates triggers for an event in one job. A trigger that exhausts the budget of a job alone is too expensive, and a
 * trigger that fails alone has an error; with others the caller has to evaluate them one by one.
 */
export async function matchAtOnce(
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
  const bare = await matchAtOnce(evaluator, pageId, event, [])
  if (typeof bare === 'string') return 'overloaded'
  return { ...bare, matches: [result.ended === 'failed' ? 'error' : 'too_expensive'] }
}

/** Evaluates triggers for an event, if need be one by one. Undefined while the thread is overloaded. */
export async function matchEvent(
  evaluator: Evaluator,
  pageId: number,
  event: EventDocument,
  programs: TriggerProgram[],
): Promise<MatchedEvent | undefined> {
  const result = await matchAtOnce(evaluator, pageId, event, programs)
  if (result === 'overloaded') return undefined
  if (result !== 'one by one') return result
  const matched: MatchedEvent[] = []
  for (const program of programs) {
    const one = await matchEvent(evaluator, pageId, event, [program])
    if (!one) return undefined
    matched.push(one)
    // The caller decides what a trigger that is too expensive means for the others.
    if (one.matches[0] === 'too_expensive') break
  }
  const rest = programs.slice(matched.length).map(() => 'error' as const)
  return { ...matched[0]!, matches: [...matched.flatMap(({ matches }) => matches), ...rest] }
}
