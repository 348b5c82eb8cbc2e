import type { EventTrigger } from '../../../persistence/entities/event-trigger.ts'
import type { Evaluator } from '../../evaluation/evaluator.ts'
import type { ElementMatch, EventDocument, TriggerProgram } from '../../evaluation/trigger-jobs.ts'

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

/**
 * Evaluates triggers for an event. A trigger that exhausts the budget of a job alone is too expensive, and a trigger that
 * fails has an error; the others are evaluated without it. Undefined while the thread is overloaded.
 */
export async function matchEvent(
  evaluator: Evaluator,
  pageId: number,
  event: EventDocument,
  programs: TriggerProgram[],
): Promise<MatchedEvent | undefined> {
  const result = await evaluator.match(pageId, event, programs).catch(() => ({ ended: 'failed' as const, at: 0 }))
  if (!('ended' in result)) {
    const { matches, leftOut, ...rest } = result
    return { ...rest, matches: matches.map((elements, index) => ({ elements, leftOut: leftOut[index]! })) }
  }
  if (result.ended === 'overloaded') return undefined
  if (programs.length > 1) return inParts(evaluator, pageId, event, partsOf(programs, result))
  const bare = programs.length === 1 ? await matchEvent(evaluator, pageId, event, []) : unreadable
  const match = result.ended === 'failed' ? ('error' as const) : result.ended
  return bare && { ...bare, matches: programs.map(() => match) }
}

/** An event whose copy cannot be made: its evaluations have errors, and the next events are evaluated. */
const unreadable: MatchedEvent = { redacted: '{}', confirmationUrl: null, truncatedAlerts: 0, matches: [] }

/** The trigger that exhausted the budget is alone; after a failure, which names no trigger, each trigger is. */
function partsOf(programs: TriggerProgram[], { ended, at }: { ended: 'too_expensive' | 'failed'; at: number }) {
  if (ended === 'failed') return programs.map((program) => [program])
  return [programs.slice(0, at), programs.slice(at, at + 1), programs.slice(at + 1)].filter(({ length }) => length > 0)
}

async function inParts(
  evaluator: Evaluator,
  pageId: number,
  event: EventDocument,
  parts: TriggerProgram[][],
): Promise<MatchedEvent | undefined> {
  const matched: MatchedEvent[] = []
  for (const part of parts) {
    const one = await matchEvent(evaluator, pageId, event, part)
    if (!one) return undefined
    matched.push(one)
  }
  return { ...matched[0]!, matches: matched.flatMap(({ matches }) => matches) }
}
