import { z } from 'zod'
import type { ActionPlan } from '../../../persistence/entities/action-plan.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, Problem } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import { reachOf, requireReach, storedActor } from '../actor.ts'
import { conflictsOf, plain } from './conflicts.ts'
import { draftSteps } from './draft-steps.ts'
import { presentPlan } from './presenter.ts'
import { requireOpen } from './refusals.ts'
import { PlanCancelRequest, PlanConfirmRequest, PlanCreateRequest, PlanResource, PlanRespondRequest } from './schema.ts'
import { requireConfirmer, requireReader } from './step-permissions.ts'
import { storePlan } from './store-plan.ts'
import { planProcess, planSubject } from './subject.ts'

const present = (ctx: Context, plan: ActionPlan) => presentPlan(ctx.services, plan, ctx.now)

export const createPlan = operation({
  name: 'agent.plans.create',
  makes: 'plan',
  area: 'agent',
  permission: 'read',
  changes: true,
  affectsPage: false,
  summary: 'Draft a plan of given operations',
  description:
    'Each step is validated as its operation would be, and nothing else happens until the plan is confirmed. The plan remembers the versions of the records that its steps change. Operations that only read, and operations that show a secret once, are refused.',
  input: PlanCreateRequest,
  output: PlanResource,
  run: async (ctx, { steps: drafts, summary }) => {
    const steps = await draftSteps(ctx, drafts)
    const plan = await storePlan(
      ctx,
      {
        turn_id: null,
        summary: summary ?? steps.map(({ effect }) => effect).join(' · '),
        ...{ steps, questions: [], request: null },
        ...{ asker: storedActor(ctx.actor), reach: reachOf(ctx.actor) },
      },
      ctx.services.planTtlMs,
    )
    return present(ctx, plan)
  },
})

export const getPlan = operation({
  name: 'agent.plans.get',
  area: 'agent',
  permission: 'read',
  summary: 'Get a plan: its steps, questions and results',
  description:
    'For tokens that reach at least as far as the token that asked, and for tokens that may do all steps of the plan.',
  subject: planSubject,
  input: z.strictObject({}),
  output: PlanResource,
  run: async (ctx, _input, plan) => {
    requireReader(ctx, plan)
    return present(ctx, plan)
  },
})

export const respondToPlan = operation({
  name: 'agent.plans.respond',
  area: 'agent',
  permission: 'read',
  changes: true,
  affectsPage: false,
  summary: 'Answer the questions of a plan',
  description:
    'A later answer to the same question replaces the earlier one. The plan is drafted again with the answers: the answer is the new plan, or 202 if that takes longer.',
  subject: planSubject,
  input: PlanRespondRequest,
  output: PlanResource,
  run: async (ctx, { answers }, plan) => {
    requireReach(ctx, plan.reach, 'plan')
    requireOpen(ctx, plan)
    const keys = plan.questions.map(({ key }) => key)
    const unknown = Object.keys(answers).filter((key) => !keys.includes(key))
    if (unknown.length > 0) {
      const known = keys.length > 0 ? `a question of this plan: ${keys.join(', ')}` : 'left out: this plan asks nothing'
      throw invalid(unknown.map((key) => ({ path: `answers.${key}`, message: `must be ${known}` })))
    }
    plan.new_answers = { ...plan.new_answers, ...answers }
    plan.version += 1
    ctx.wake(planProcess(plan.id), `answers of "${ctx.actor.name}" to ${Object.keys(answers).join(', ')}`)
    return present(ctx, plan)
  },
})

export const confirmPlan = operation({
  name: 'agent.plans.confirm',
  area: 'agent',
  permission: 'read',
  changes: true,
  affectsPage: false,
  summary: 'Confirm a plan: its steps are executed once',
  description:
    'Each step needs the permission of its operation: a token without the permission gets 403, and the plan stays as it is. Answers the executed plan, or 202 if the steps take longer than 10 s or the request has `Prefer: respond-async`. A plan that needs answers, is cancelled, expired, failed or conflicted is a 409 with the plan. Confirming an executed plan again answers its result.',
  subject: planSubject,
  input: PlanConfirmRequest,
  output: PlanResource,
  isRepeated: isConfirmed,
  run: async (ctx, _input, plan) => {
    requireConfirmer(ctx, plan)
    if (isConfirmed(plan)) {
      // The caller waits for the end and answers by the status.
      ctx.existing()
      return present(ctx, plan)
    }
    requireOpen(ctx, plan)
    if (plan.status === 'needs_input' || plan.new_answers) throw needsInput(ctx, plan)
    plan.confirmed_at = ctx.now
    plan.confirmer = storedActor(ctx.actor)
    plan.conflicts = await conflictsNow(ctx, plan)
    plan.status = plan.conflicts.length > 0 ? 'conflicted' : 'executing'
    plan.version += 1
    const refused = plan.conflicts.length > 0 ? ', which is refused: records have changed after the draft' : ''
    ctx.wake(planProcess(plan.id), `the confirmation by "${ctx.actor.name}"${refused}`)
    return present(ctx, plan)
  },
})

function isConfirmed({ status }: ActionPlan): boolean {
  return ['executing', 'executed', 'conflicted', 'failed'].includes(status)
}

const needsInput = (ctx: Context, plan: ActionPlan) =>
  new Problem('plan_needs_input', 'The plan has questions without an answer.', { plan: present(ctx, plan) })

/** Each step compares its record again under its lock. */
async function conflictsNow(ctx: Context, plan: ActionPlan): Promise<ActionPlan['conflicts']> {
  const conflicts: ActionPlan['conflicts'] = []
  for (const { operation: name, expected } of plan.steps) {
    const subject = ctx.services.operations.get(name)?.subject
    if (!subject || !expected) continue
    const ref = subject.singleton ? undefined : { id: expected.id }
    const record = await subject.find(ctx, ref, { lock: false })
    const { version } = (record ?? {}) as { version?: number }
    const now = record ? { version, snapshot: plain(subject.snapshot(record)) as Record<string, unknown> } : undefined
    conflicts.push(...conflictsOf(expected, now))
  }
  return conflicts
}

export const cancelPlan = operation({
  name: 'agent.plans.cancel',
  area: 'agent',
  permission: 'read',
  changes: true,
  affectsPage: false,
  summary: 'Cancel a plan that is not confirmed',
  description: 'Cancelling twice answers 200. A confirmed or expired plan is a 409.',
  subject: planSubject,
  input: PlanCancelRequest,
  output: PlanResource,
  run: async (ctx, { reason }, plan) => {
    requireReach(ctx, plan.reach, 'plan')
    if (plan.status === 'cancelled') {
      ctx.existing()
      return present(ctx, plan)
    }
    requireOpen(ctx, plan)
    plan.status = 'cancelled'
    plan.ended_because = reason ?? `Cancelled by "${ctx.actor.name}".`
    plan.version += 1
    ctx.wake(planProcess(plan.id), `the cancellation by "${ctx.actor.name}"`)
    return present(ctx, plan)
  },
})
