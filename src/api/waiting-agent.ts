import { refusalOf } from '../domain/agent/plans/refusals.ts'
import { waitForAnswer, waitForPlan } from '../domain/agent/wait.ts'
import type { Outcome } from '../domain/kernel/execute.ts'
import { callOf, later, type Wait } from './waiting-parts.ts'

/** Waits for the answer of a new turn. A turn that another request waits for is answered as it is. */
export const waitForTurn: Wait = async (deps, ctx, page, outcome) => {
  const { turn_id, outcome: state } = outcome.output as { turn_id: number; outcome: string }
  if (state !== 'processing' || (outcome.existing && !outcome.replayed)) return
  const answer = await waitForAnswer(deps.services, callOf(ctx, page), turn_id, deps.patience.turnMs)
  if (answer) ctx.body = answer
}

/** Waits for the draft with new answers, or answers 202 with the plan. */
export const waitForDraft: Wait = async (deps, ctx, page, outcome) => {
  const plan = await waitForPlan(deps.services, callOf(ctx, page), planIdOf(outcome), deps.patience.planMs)
  ctx.body = plan ?? ctx.body
  if (!plan) later(ctx, placeOf(ctx.path))
}

/** Waits for the end of a confirmed plan, or answers 202 with the plan. */
export const waitForConfirmation: Wait = async (deps, ctx, page, outcome) => {
  const isAsync = /(^|,)\s*respond-async\s*(,|;|$)/i.test(ctx.get('Prefer'))
  if (isAsync) ctx.set('Preference-Applied', 'respond-async')
  const patienceMs = isAsync ? 0 : deps.patience.planMs
  const plan = await waitForPlan(deps.services, callOf(ctx, page), planIdOf(outcome), patienceMs)
  if (!plan) return later(ctx, placeOf(ctx.path))
  const refusal = refusalOf(plan)
  if (refusal) throw refusal
  ctx.body = plan
}

const placeOf = (path: string) => path.replace(/\/(respond|confirm)$/, '')
const planIdOf = ({ output }: Outcome) => (output as { id: number }).id
