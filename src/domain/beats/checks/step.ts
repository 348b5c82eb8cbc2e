import { CheckRequest } from '../../../persistence/entities/check-request.ts'
import type { StepContext, StepResult } from '../../kernel/step.ts'

/** Long enough for the longest check and its retries: by then nobody is at it any more. */
const LOOK_AGAIN_MS = 120_000

/** A check that somebody asked for: the errand is the check itself, which a worker of the region runs. */
export async function checkStep({ tx, id, now }: StepContext): Promise<StepResult> {
  const request = await tx.findOne(CheckRequest, { id })
  if (!request) return { done: true, says: 'nothing: the question is gone' }
  if (request.answered_at) return { done: true, says: 'nothing: the check is answered' }
  const until = new Date(now.getTime() + LOOK_AGAIN_MS)
  return { done: false, says: `the check from ${request.region}`, until, errand: request.region }
}
