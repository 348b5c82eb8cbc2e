import type { EntityManager } from '@mikro-orm/postgresql'
import { recentEvents } from '../../../persistence/ingest-events.ts'
import type { Evaluator } from '../../evaluation/evaluator.ts'
import { invalid } from '../../kernel/errors.ts'
import { matchEvent, overloaded } from '../decisions/match-event.ts'
import { pathsOf } from './programs.ts'

/** How many of the newest events are searched for the paths of a trigger. */
const SEARCHED = { events: 200, bytes: 8 * 1024 * 1024 }

type Parts = Parameters<typeof pathsOf>[0]

/** The paths of a trigger that no stored event of its endpoint has. */
export async function pathsWithoutEvidence(
  tx: EntityManager,
  { evaluator, pageId }: { evaluator: Evaluator; pageId: number },
  endpointId: number,
  parts: Parts,
): Promise<{ field: string; path: string }[]> {
  let missing = pathsOf(parts).filter(({ path }) => path !== 'event.received_at')
  const each_path = parts.each_path ?? null
  for (const event of await recentEvents(tx, endpointId, SEARCHED)) {
    if (missing.length === 0) break
    const programs = missing.map(({ field, path }) => ({
      each_path: field === 'each_path' ? null : each_path,
      conditions: { path, operator: 'exists' },
      ...{ stage_mapping: {}, output_mapping: {} },
    }))
    const document = { text: event.body, headers: event.headers, receivedAt: event.received_at.getTime() }
    const together = await matchEvent(evaluator, pageId, document, programs)
    if (together === 'overloaded') throw overloaded()
    const alone = async (index: number) => {
      const result = await matchEvent(evaluator, pageId, document, [programs[index]!])
      if (typeof result === 'string') throw overloaded()
      return result.matches[0]!
    }
    const isFound = async (index: number): Promise<boolean> => {
      const found = together === 'one by one' ? undefined : together.matches[index]
      const match = found ?? (await alone(index))
      if (match === 'too_expensive') throw tooExpensive(missing[index]!)
      return match !== 'error' && match.elements.some(({ matched }) => matched)
    }
    const left: typeof missing = []
    for (const [index, path] of missing.entries()) if (!(await isFound(index))) left.push(path)
    missing = left
  }
  return missing
}

const tooExpensive = ({ field, path }: { field: string; path: string }) =>
  invalid([{ path: field, message: `${path} uses more CPU time for a stored event than a trigger may use` }])

/** Refuses to enable a trigger with a path that no stored event has, unless the request confirms it. */
export async function requireEvidence(...check: Parameters<typeof pathsWithoutEvidence>): Promise<void> {
  const missing = await pathsWithoutEvidence(...check)
  if (missing.length === 0) return
  const because =
    'is in no stored event of the endpoint: send `confirm_no_evidence: true` to enable the trigger, or store it as a draft'
  throw invalid(missing.map(({ field, path }) => ({ path: field, message: `${path} ${because}` })))
}
