import { BeatAction } from '../../../persistence/entities/beat-action.ts'
import type { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { StepContext } from '../../kernel/step.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { addNotification } from '../../notifications/announce.ts'
import { type Owner, ownedBy } from '../definition/owner.ts'
import type { Draft } from './action-draft.ts'
import type { Done } from './action-effects.ts'
import { sourcesOf } from './event-sources.ts'
import { publishAction } from './incident-publisher.ts'

const effects = {
  open: 'opens an incident',
  update: 'updates the incident',
  resolve: 'resolves the incident',
  reopen: 'reopens the incident',
} as const

/** Records the public action of a transition, and publishes an automatic action at once. */
export async function recordAction(
  ctx: StepContext,
  owner: Owner,
  transition: BeatTransition,
  mode: BeatAction['mode'],
  draft: Draft,
): Promise<Done[]> {
  const { tx, pageId, now } = ctx
  const action = tx.create(BeatAction, {
    page_id: pageId,
    ...ownedBy(owner),
    transition_id: transition.id,
    stage: transition.to_stage,
    mode,
    state: mode === 'automatic' ? 'approved' : 'pending_review',
    draft: { ...draft },
    ...{ incident_id: null, update_id: null, notification_event: null, reason: null, executed_at: null },
    ...{ decision_note: null, decided_by: null, decided_at: null },
    version: 1,
    created_at: now,
    updated_at: now,
  })
  await tx.flush()
  if (mode === 'automatic') return publishAutomatically(ctx, owner, action)
  await requestReview(ctx, owner, action)
  return [{ kind: 'action', id: action.id, message: `action ${action.id} waits for review: ${effects[draft.kind]}` }]
}

/** A failed automatic action waits for a person. */
export async function publishAutomatically(work: WorkContext, owner: Owner, action: BeatAction): Promise<Done[]> {
  const done = await publishAction(work, owner, action)
  if (action.state === 'failed') await requestReview(work, owner, action)
  return done
}

/** The notification has what a person needs for the review; for an event of another system also where it came from. */
async function requestReview(work: WorkContext, { kind: subject, record }: Owner, action: BeatAction): Promise<void> {
  const { kind, title } = action.draft as unknown as Draft
  const failed = action.state === 'failed' ? { reason: action.reason } : {}
  const source = (await sourcesOf(work.tx, [action], { previews: true }))(action)
  const data = { beat_action_id: action.id, stage: action.stage, kind, title, ...failed, ...(source ? { source } : {}) }
  const natural = `review:${action.id}`
  addNotification(work, { key: 'beat.review_requested', kind: subject, id: record.id, natural, data })
}

/** Actions that wait for review are not posted any more: the stage has changed, or a group takes the public actions. */
export async function supersedeActions(
  ctx: StepContext,
  owner: Pick<Owner, 'kind' | 'record'>,
  reason: string,
): Promise<void> {
  const { tx, now } = ctx
  for (const action of await tx.find(BeatAction, { ...ownedBy(owner), state: 'pending_review' })) {
    Object.assign(action, { state: 'superseded', reason, version: action.version + 1, updated_at: now })
    ctx.note('review', `action ${action.id} superseded: ${reason}`)
  }
}
