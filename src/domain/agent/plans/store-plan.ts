import { LockMode } from '@mikro-orm/postgresql'
import { ActionPlan, type StoredPlanStep, type StoredQuestion } from '../../../persistence/entities/action-plan.ts'
import type { StoredActor } from '../../../persistence/entities/delegation-turn.ts'
import type { TokenReach } from '../../kernel/permissions.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { isOpen, statusOfDraft } from './status-rules.ts'
import { planProcess } from './subject.ts'

export interface NewPlan {
  turn_id: number | null
  summary: string
  steps: StoredPlanStep[]
  questions: StoredQuestion[]
  request: ActionPlan['request']
  asker: StoredActor
  reach: TokenReach
}

/** Stores a new plan, which its process ends without a confirmation in time. */
export async function storePlan(ctx: WorkContext, plan: NewPlan, ttlMs: number): Promise<ActionPlan> {
  const stored = ctx.tx.create(ActionPlan, {
    ...plan,
    page_id: ctx.pageId,
    status: statusOfDraft(plan.steps, plan.questions),
    conflicts: [],
    new_answers: null,
    created_at: ctx.now,
    expires_at: new Date(ctx.now.getTime() + ttlMs),
    confirmed_at: null,
    confirmer: null,
    ended_because: null,
    version: 1,
  })
  await ctx.tx.flush()
  ctx.wake(planProcess(stored.id), `its draft by "${plan.asker.name}"`)
  return stored
}

/** Cancels an open plan, because the thread has another plan for the same request. */
export async function replacePlan(ctx: WorkContext, id: number, by: number): Promise<void> {
  const plan = await ctx.tx.findOne(ActionPlan, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!plan || !isOpen(plan.status)) return
  plan.status = 'cancelled'
  plan.ended_because = `Plan ${by} replaces this plan.`
  plan.version += 1
  ctx.wake(planProcess(id), `plan ${by} of the same thread, which replaces this plan`)
}
