import { BeatAction } from '../../../persistence/entities/beat-action.ts'
import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import { canonical } from '../../kernel/canonical.ts'
import type { StepContext } from '../../kernel/step.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { type ActionPolicies, policyStageOf } from '../definition/policies.ts'
import { actingGroup, carriedOut } from './act.ts'
import { type Draft, draftOf } from './draft.ts'
import { noteDone } from './execute.ts'
import { type Owner, ownedBy } from './owner.ts'

/** An action that failed is repaired by what its policies say by now: by who approves it, or by its process. */

/** What it would post now, or why nothing. What the stage was before is as it was then. */
export async function draftAnew(
  work: WorkContext,
  owner: Owner,
  transition: BeatTransition,
): Promise<Draft | { nothing: string }> {
  const key = policyStageOf(transition.to_stage)
  const policy = (owner.record.action_policies as ActionPolicies)[key] ?? {}
  if (!policy.public_post) return { nothing: `no public post is set for ${key}` }
  return draftOf(work, owner, transition, policy, transition.from_stage)
}

/** Gives a failed action the draft of now; false if there is nothing to post any more, which `reason` then says. */
export async function redraft(work: WorkContext, owner: Owner, action: BeatAction): Promise<boolean> {
  const transition = await work.tx.findOneOrFail(BeatTransition, { id: action.transition_id })
  const draft = await draftAnew(work, owner, transition)
  if ('nothing' in draft) action.reason = `Nothing to post: ${draft.nothing}.`
  else action.draft = { ...draft }
  return !('nothing' in draft)
}

/** What was to be posted by itself and could not be is tried again, once it is something else by the policies of now. */
export async function tryAgain(ctx: StepContext, owner: Owner, stage: string): Promise<void> {
  const policy = (owner.record.action_policies as ActionPolicies)[policyStageOf(stage)]
  // Most look without ever having done anything.
  if (owner.record.last_action_created_at === null || policy?.public_post_mode !== 'automatic') return
  const action = await ctx.tx.findOne(BeatAction, ownedBy(owner), { orderBy: { id: 'desc' } })
  if (action?.state !== 'failed' || action.mode !== 'automatic' || action.stage !== stage) return
  const transition = await ctx.tx.findOneOrFail(BeatTransition, { id: action.transition_id })
  if (await actingGroup(ctx, owner)) return
  const draft = await draftAnew(ctx, owner, transition)
  if ('nothing' in draft || canonical(draft) === canonical(action.draft)) return
  Object.assign(action, { draft: { ...draft }, version: action.version + 1 })
  const done = await carriedOut(ctx, owner, action)
  for (const { message } of done) ctx.note('transition', `transition ${transition.number}, tried again: ${message}`)
  noteDone(transition, done)
  await ctx.tx.flush()
}
