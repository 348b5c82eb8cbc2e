import { z } from 'zod'
import { cancelPlan, confirmPlan, createPlan, respondToPlan } from '../plans/operations.ts'
import { refusalOf } from '../plans/refusals.ts'
import { MAX_STEPS, PlanCreateRequest, PlanRespondRequest } from '../plans/schema.ts'
import { waitForPlan } from '../wait.ts'
import { call, type ToolContext, tool } from './tool.ts'

const plan_id = z.int().min(1)
const { steps, summary } = PlanCreateRequest.shape

export const plan = tool({
  name: 'plan',
  title: 'Draft a plan',
  description:
    'Drafts changes as a plan and changes nothing: the answer has the plan id, the exact effect of each step, questions, and the expiry. Show the effects to the user before `apply`. A step is an operation with effect write.',
  effect: 'write',
  input: z.strictObject({
    // Without the name of the schema of a step, so that the list of tools needs no references.
    steps: z.array(z.strictObject(steps.element.shape)).min(1).max(MAX_STEPS),
    summary,
  }),
  run: async (ctx, input) => ({ plan: await call(ctx, createPlan, input) }),
})

export const answerPlan = tool({
  name: 'answer_plan',
  title: 'Answer the questions of a plan',
  description: 'Answers questions of a plan that needs input, by the `key` of each question. Changes nothing else.',
  effect: 'write',
  input: z.strictObject({ plan_id, answers: PlanRespondRequest.shape.answers }),
  run: (ctx, { plan_id: id, answers }) => answer(ctx, id, answers),
})

/** With a version, the answers are for that draft alone. */
export async function answer(ctx: ToolContext, id: number, answers: object, version?: number): Promise<object> {
  const answered = await call(ctx, respondToPlan, { id, answers, ...(version === undefined ? {} : { version }) })
  return { plan: (await waitForPlan(ctx.services, ctx, id, ctx.patience.planMs)) ?? answered }
}

export const applyPlan = tool({
  name: 'apply',
  title: 'Apply a plan',
  description:
    'Carries out a plan that is ready, once: a second call answers the same result. Refused if a record has changed since the draft. Call apply only when the user has agreed to the effects.',
  effect: 'write',
  input: z.strictObject({ plan_id }),
  run: (ctx, { plan_id: id }) => confirm(ctx, id),
})

/** With a version, only that draft is carried out. */
export async function confirm(ctx: ToolContext, id: number, version?: number): Promise<object> {
  const confirmed = await call(ctx, confirmPlan, { id, ...(version === undefined ? {} : { version }) })
  const ended = await waitForPlan(ctx.services, ctx, id, ctx.patience.planMs)
  const refusal = ended && refusalOf(ended)
  if (refusal) throw refusal
  return { plan: ended ?? confirmed }
}

export const cancel = tool({
  name: 'cancel_plan',
  title: 'Cancel a plan',
  description: 'Cancels a plan that is not applied.',
  effect: 'write',
  input: z.strictObject({ plan_id }),
  run: async (ctx, { plan_id: id }) => ({ plan: await call(ctx, cancelPlan, { id }) }),
})
