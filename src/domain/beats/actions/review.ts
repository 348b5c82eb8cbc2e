import type { Beat } from '../../../persistence/entities/beat.ts'
import { BeatAction } from '../../../persistence/entities/beat-action.ts'
import type { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { Context } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { groupTakesOver } from '../definition/naming-rules.ts'
import { findOwner, isGroup, nameOf, type Owner } from '../definition/owner.ts'
import { ownerProcess } from '../definition/subject.ts'
import { countMembers, membersOf } from '../groups/member-stages.ts'
import { stageOfMembers } from '../groups/stage-transition.ts'
import { type Draft, draftNow } from './action-draft.ts'
import { type Done, inWords, recordDone } from './action-effects.ts'
import { publishAction } from './incident-publisher.ts'
import { ownerOf } from './load-owner.ts'
import { presentAction, presentExecution } from './presenter.ts'
import { verdictOn } from './review-rules.ts'
import { ApproveRequest, BeatActionExecution, BeatActionResource, RejectRequest } from './schema.ts'
import { actingGroup } from './situation.ts'
import { actionSubject } from './subject.ts'

export const approveAction = operation({
  name: 'beat_actions.approve',
  area: 'reviews',
  permission: 'write',
  summary: 'Approve and execute an action of a beat or a group',
  description:
    'The action is executed with the facts of now: an incident affects the items that are affected now. A refusal, for example because the incident was resolved meanwhile, makes the action `failed` with a `reason`. A failed action may be approved again: its draft is then made again from the policies of now. Approving an executed action answers 200 with the stored action. A rejected or superseded action, and an action of an earlier stage, is a 409.',
  subject: actionSubject,
  input: ApproveRequest,
  output: BeatActionExecution,
  run: async (ctx, _input, action) => {
    if (!requireDecision('approve', action)) {
      ctx.existing()
    } else {
      const done = await approve(ctx, action)
      decided(ctx, action)
      ctx.wake(processOf(action), `the approval of action ${action.id} by "${ctx.actor.name}": ${inWords(done)}`)
    }
    return presentExecution(ctx, action)
  },
})

export const rejectAction = operation({
  name: 'beat_actions.reject',
  area: 'reviews',
  permission: 'write',
  summary: 'Reject an action of a beat or a group: nothing is posted',
  description:
    'A failed action may be rejected, too. Rejecting twice answers 200 with the stored action; an executed or superseded action is a 409.',
  subject: actionSubject,
  input: RejectRequest,
  output: BeatActionResource,
  run: async (ctx, { decision_note }, action) => {
    if (!requireDecision('reject', action)) {
      ctx.existing()
    } else {
      action.state = 'rejected'
      action.decision_note = decision_note ?? null
      decided(ctx, action)
      ctx.wake(processOf(action), `the rejection of action ${action.id} by "${ctx.actor.name}": nothing is posted`)
    }
    return presentAction(action)
  },
})

/** Whether the action still needs a decision; a conflict if a decision is not possible any more. */
function requireDecision(decision: 'approve' | 'reject', { id, state, reason }: BeatAction): boolean {
  const verdict = verdictOn(decision, state)
  if (verdict === 'refused')
    throw new Problem('conflict', `The action ${id} is ${state}${reason ? `: ${reason}` : '.'}`)
  return verdict === 'allowed'
}

async function approve(ctx: Context, action: BeatAction): Promise<Done[]> {
  const work = ctx
  const owner = await ownerWithItems(work, await requireCurrent(ctx, action), action)
  const transition = await ctx.tx.findOneOrFail(BeatTransition, { id: action.transition_id })
  if (action.state === 'failed') {
    const draft = await draftNow(work, owner, transition)
    if ('reason' in draft) {
      action.reason = `Nothing to post: ${draft.reason}.`
      return [{ kind: 'action', id: action.id, message: `action ${action.id} failed: ${action.reason}` }]
    }
    action.draft = { ...draft }
  }
  const done = await publishAction(work, owner, action)
  // The publisher may have failed the action again.
  if (isExecuted(action)) recordDone(transition, done)
  return done
}

const isExecuted = ({ state }: BeatAction) => state === 'executed'

/** The owner, if the action is about its stage of now: the process of the owner may not have seen the last transition. */
async function requireCurrent(ctx: Context, action: BeatAction): Promise<Beat | BeatGroup> {
  const { tx } = ctx
  const { owner_kind: kind, owner_id, stage } = action
  const record = await findOwner(tx, action)
  if (!record) throw new Problem('conflict', 'The beat or the group of this action was deleted.')
  const group = await actingGroup(ctx, { kind, record })
  if (group) throw new Problem('conflict', groupTakesOver(record, group))
  const known = record.current_stage
  const now = isGroup(record) ? await stageOfGroup(ctx, record) : known
  const newer = await tx.count(BeatAction, { owner_kind: kind, owner_id, id: { $gt: action.id } })
  if (now !== stage || known !== stage || newer > 0) {
    const owner = `The ${nameOf({ record })} is ${now ?? 'in no known stage'} since its transition ${record.transition_number}`
    throw new Problem('conflict', `${owner}: action ${action.id} is about an earlier one.`)
  }
  return record
}

async function stageOfGroup(work: WorkContext, group: BeatGroup) {
  const members = await membersOf(work, group)
  await countMembers(work, group, members)
  return stageOfMembers(members)
}

/** A post affects the items of now; a resolution keeps the items that its text names. */
async function ownerWithItems(work: WorkContext, record: Beat | BeatGroup, action: BeatAction): Promise<Owner> {
  const owner = (await ownerOf(work, record))!
  const draft = action.draft as unknown as Draft
  if (draft.kind === 'resolve') return { ...owner, items: draft.items }
  action.draft = { ...draft, items: owner.items }
  return owner
}

function decided({ actor, now }: Context, action: BeatAction): void {
  Object.assign(action, { decided_by: actor.name, decided_at: now, version: action.version + 1, updated_at: now })
}

const processOf = ({ owner_kind, owner_id }: BeatAction) => ownerProcess(owner_kind, owner_id)
