import type { EntityManager } from '@mikro-orm/postgresql'
import type { z } from 'zod'
import { CheckRequest } from '../../../persistence/entities/check-request.ts'
import { Secret } from '../../../persistence/entities/secret.ts'
import type { Context } from '../../kernel/context.ts'
import type { ThresholdPolicies } from '../definition/thresholds.ts'
import { type CheckSummary, type Stage, stageFromResults } from '../stage/stage-rules.ts'
import type { CheckAnswer } from './schema.ts'

/** The secrets of a target that is not saved, stored until the check. */
export const secretNameOfCheck = (request: { id: number }) => `check:${request.id}`

type Asked = Pick<CheckRequest, 'beat_id' | 'region' | 'asked'>

/** Stores the request and a wake-up; a worker of the region runs the check. */
export async function requestCheck({ tx, page, now, wake, actor }: Context, asked: Asked): Promise<CheckRequest> {
  const request = tx.create(CheckRequest, {
    page_id: page.id,
    ...asked,
    outcome: null,
    created_at: now,
    answered_at: null,
  })
  await tx.flush()
  wake({ kind: 'check', id: request.id }, `a request of ${actor.name} for a check`)
  return request
}

export function answerOf({
  id,
  answered_at,
  outcome,
  beat_id,
  region,
  asked,
}: CheckRequest): z.input<typeof CheckAnswer> {
  const of = { ...(beat_id === null ? {} : { beat_id }), region }
  if (!answered_at || !outcome) return { status: 'accepted', check_id: id, ...of }
  const { problem, ...seen } = outcome
  if (problem !== undefined) {
    const evidence = String(problem)
    const run = { ...of, at: answered_at.toISOString(), ok: false, latency_ms: null, evidence }
    return { status: 'completed', check_id: id, ...of, run, problem: evidence }
  }
  const run = { ...of, ...seen }
  const stage = stageIn(asked, region, seen as unknown as CheckSummary)
  return { status: 'completed', check_id: id, ...of, run, ...(stage && { stage }) } as z.input<typeof CheckAnswer>
}

function stageIn(
  { threshold_policies: rules }: CheckRequest['asked'],
  region: string,
  seen: CheckSummary,
): Stage | null {
  return rules === undefined ? null : stageFromResults(rules as ThresholdPolicies, new Map([[region, [seen]]]), null)
}

/** Stores the answer of a request. A retried check does not overwrite the first answer. */
export async function answerCheck(
  tx: EntityManager,
  id: number,
  outcome: Record<string, unknown>,
  now: Date,
): Promise<boolean> {
  // Removes absent fields, which would be read as null.
  const known = JSON.parse(JSON.stringify(outcome)) as Record<string, unknown>
  await tx.nativeDelete(Secret, { name: secretNameOfCheck({ id }) })
  const written = await tx.nativeUpdate(CheckRequest, { id, answered_at: null }, { outcome: known, answered_at: now })
  return written > 0
}
