import type { StoredPlanStep } from '../../../persistence/entities/action-plan.ts'
import type { PlanReply, Reply, ResponseContext, TextReply } from '../response-types.ts'
import { refusedBy } from '../responses/refusals.ts'
import { draftPlanSteps } from './draft-operation.ts'

type Drafted = { reply: PlanReply; steps: StoredPlanStep[] } | { reply: TextReply }

/** The steps of a reply as a plan stores them; or the reason why an operation refuses a step. */
export async function draftOf(ctx: ResponseContext, reply: Reply): Promise<Drafted> {
  if (reply.outcome !== 'plan') return { reply }
  const drafts = reply.steps.map(({ operation, input, effect }) => ({ operation: operation.name, input, effect }))
  if (drafts.length === 0) return { reply, steps: [] }
  try {
    return { reply, steps: (await ctx.read(draftPlanSteps, { input: { steps: drafts } })).steps }
  } catch (error) {
    return { reply: refusedBy(error) }
  }
}
