import { z } from 'zod'
import type { StoredPlanStep } from '../../../persistence/entities/action-plan.ts'
import { operation } from '../../kernel/operation.ts'
import { draftSteps, type StepDraft } from './draft-steps.ts'

/** Drafts the steps of an answer, with the permissions of the token that asked. */
export const draftPlanSteps = operation({
  name: 'agent.plans.draft',
  area: 'agent',
  permission: 'read',
  summary: 'Validate the steps of a plan',
  input: z.strictObject({ steps: z.custom<StepDraft[]>() }),
  output: z.custom<{ steps: StoredPlanStep[] }>(),
  run: async (ctx, { steps }) => ({ steps: await draftSteps(ctx, steps) }),
})
