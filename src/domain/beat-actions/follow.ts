import { BeatAction } from '../../persistence/entities/beat-action.ts'
import { type ActionPolicies, policyStageOf } from '../beats/policies.ts'
import { holdMore, release } from '../incidents/open.ts'
import type { StepContext } from '../kernel/step.ts'
import { type Draft, lockIncident } from './draft.ts'
import { type Owner, ownedBy } from './owner.ts'

/**
 * Members fall ill and recover while the stage of their group stays what it is: what they stand for joins the one
 * incident, and leaves it. What waits for review takes it up; a page that reviews each post has no other way to be told.
 */
export async function follow(ctx: StepContext, owner: Owner, ofTheWell: number[]): Promise<void> {
  const { record, items } = owner
  if (record.current_stage === 'healthy' || record.acted_stage !== record.current_stage) return
  const policy = (record.action_policies as ActionPolicies)[policyStageOf(record.current_stage ?? '')]
  if (!policy?.public_post) return
  if (policy.public_post_mode !== 'automatic') return followInDraft(ctx, owner)
  const incident = record.current_incident_id === null ? null : await lockIncident(ctx.tx, record.current_incident_id)
  if (!incident || incident.resolved_at) return
  const added = await holdMore(ctx, incident, items)
  const ended = await release(
    ctx,
    incident,
    ofTheWell.filter((id) => !items.includes(id)),
  )
  if (added.length > 0) ctx.note('items', `the incident ${incident.id} holds down ${named(added)}, too`)
  if (ended.length > 0) ctx.note('items', `the incident ${incident.id} holds down ${named(ended)} no longer`)
}

const named = (ids: number[]) => `the ${ids.length === 1 ? 'item' : 'items'} ${ids.join(', ')}`

async function followInDraft({ tx, now, note }: StepContext, owner: Owner): Promise<void> {
  for (const action of await tx.find(BeatAction, { ...ownedBy(owner), state: 'pending_review' })) {
    const draft = action.draft as unknown as Draft
    if (draft.items.join() === owner.items.join()) continue
    action.draft = { ...draft, items: owner.items }
    Object.assign(action, { version: action.version + 1, updated_at: now })
    note('items', `action ${action.id} is about ${named(owner.items)} now`)
  }
}
