import { BeatAction } from '../../../persistence/entities/beat-action.ts'
import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import { canonical } from '../../kernel/canonical.ts'
import type { StepContext } from '../../kernel/step.ts'
import { type Owner, ownedBy } from '../definition/owner.ts'
import { draftNow } from './action-draft.ts'
import { recordDone } from './action-effects.ts'
import { publishAutomatically } from './action-records.ts'
import { policyFor } from './situation.ts'

/** Publishes a failed automatic action again once its policies give another draft than the failed one. */
export async function retryFailedAction(ctx: StepContext, owner: Owner, { to_stage }: BeatTransition): Promise<void> {
  // Most owners have never acted.
  if (owner.record.last_action_created_at === null) return
  if (policyFor(owner, to_stage).public_post_mode !== 'automatic') return
  const action = await ctx.tx.findOne(BeatAction, ownedBy(owner), { orderBy: { id: 'desc' } })
  if (action?.state !== 'failed' || action.mode !== 'automatic' || action.stage !== to_stage) return
  const transition = await ctx.tx.findOneOrFail(BeatTransition, { id: action.transition_id })
  const draft = await draftNow(ctx, owner, transition)
  if ('reason' in draft || canonical(draft) === canonical(action.draft)) return
  Object.assign(action, { draft: { ...draft }, version: action.version + 1 })
  const done = await publishAutomatically(ctx, owner, action)
  for (const { message } of done) ctx.note('transition', `transition ${transition.number}, retry: ${message}`)
  recordDone(transition, done)
  await ctx.tx.flush()
}
