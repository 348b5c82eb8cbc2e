import type { EventTrigger } from '../../../persistence/entities/event-trigger.ts'
import type { Evaluator } from '../../evaluation/evaluator.ts'
import type { ElementMatch, EventDocument, TriggerProgram } from '../../evaluation/trigger-jobs.ts'

/** What the evaluation thread found for one trigger. */
export type TriggerMatch = { elements: ElementMatch[]; leftOut: number } | 'too_expensive'

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
 * Evaluates triggers for an event. A trigger that exhausts the budget of a job alone is too expensive; the others are
 * evaluated without it. Undefined while the thread is overloaded.
 */
export async function matchEvent(
  evaluator: Evaluator,
  pageId: number,
  event: EventDocument,
  programs: TriggerProgram[],
): Promise<MatchedEvent | undefined> {
  const result = await evaluator.match(pageId, event, programs)
  if (!('ended' in result)) {
    const { matches, leftOut, ...rest } = result
    return { ...rest, matches: matches.map((elements, index) => ({ elements, leftOut: leftOut[index]! })) }
  }
  if (result.ended === 'overloaded') return undefined
  if (programs.length <= 1) {
    const bare = await evaluator.match(pageId, event, [])
    if ('ended' in bare) return undefined
    const { redacted, confirmationUrl, truncatedAlerts } = bare
    return { redacted, confirmationUrl, truncatedAlerts, matches: programs.map(() => 'too_expensive' as const) }
  }
  const { at } = result
  const parts = [programs.slice(0, at), programs.slice(at, at + 1), programs.slice(at + 1)]
  const matched: MatchedEvent[] = []
  for (const part of parts.filter(({ length }) => length > 0)) {
    const one = await matchEvent(evaluator, pageId, event, part)
    if (!one) return undefined
    matched.push(one)
  }
  return { ...matched[0]!, matches: matched.flatMap(({ matches }) => matches) }
}
