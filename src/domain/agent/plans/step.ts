import { ActionPlan } from '../../../persistence/entities/action-plan.ts'
import { lockSubject, type StepContext, type StepResult, workingStep } from '../../kernel/step.ts'
import { executePlan } from './execute-plan.ts'
import { redraftPlan } from './redraft-plan.ts'
import { isOpen } from './status-rules.ts'

/** The step of a plan: drafts the plan again with new answers, runs confirmed steps, and ends the plan at its expiry. */
export const planStep = workingStep({
  affectsPage: false,
  async work(services, process) {
    await redraftPlan(services, process)
    await executePlan(services, process)
  },
  async step(ctx): Promise<StepResult> {
    const plan = await lockSubject(ctx, ActionPlan)
    if (!plan) return { done: true, says: 'nothing: the plan was deleted' }
    if (isOpen(plan.status)) return waitFor(ctx, plan)
    // Confirmed during the work of this step.
    if (plan.status === 'executing') return { done: false, says: 'the steps of the plan', until: ctx.now }
    return { done: true, says: `nothing: the plan is ${plan.status}` }
  },
})

function waitFor(ctx: StepContext, plan: ActionPlan): StepResult {
  const { status, expires_at, new_answers } = plan
  if (expires_at <= ctx.now) {
    plan.status = 'expired'
    plan.ended_because = `The plan expired at ${expires_at.toISOString()} without a confirmation.`
    plan.version += 1
    ctx.note('plan', `expired at ${expires_at.toISOString()} without a confirmation`)
    return { done: true, says: 'nothing: the plan is expired' }
  }
  if (new_answers) return { done: false, says: 'the draft with the answers', until: ctx.now }
  const what = status === 'ready' ? 'the confirmation' : 'the answers'
  return { done: false, says: `${what}, until the plan expires`, until: expires_at }
}
