import type { PlanReply, ResponseContext } from '../response-types.ts'
import { draftPlanSteps } from './draft-operation.ts'

/** The steps and questions of a reply as a plan stores them. */
export async function draftOf(ctx: ResponseContext, { steps, questions }: PlanReply) {
  const drafts = steps.map(({ operation, input, effect }) => ({ operation: operation.name, input, effect }))
  const drafted = drafts.length === 0 ? [] : (await ctx.read(draftPlanSteps, { input: { steps: drafts } })).steps
  return { steps: drafted, questions }
}
