import { CheckRequest } from '../../../persistence/entities/check-request.ts'
import type { StepContext, StepResult } from '../../kernel/step.ts'

/** Longer than the longest check with its retries. */
const NEXT_STEP_MS = 120_000

/** The step of a requested check. The errand is the check, which a worker of the region runs. */
export async function checkStep({ tx, id, now }: StepContext): Promise<StepResult> {
  const request = await tx.findOne(CheckRequest, { id })
  if (!request) return { done: true, says: 'nothing: the request was deleted' }
  if (request.answered_at) return { done: true, says: 'nothing: the check has been answered' }
  const until = new Date(now.getTime() + NEXT_STEP_MS)
  return { done: false, says: `the check from region ${request.region}`, until, errand: request.region }
}
