import type { Beat } from '../../../persistence/entities/beat.ts'
import { BeatAction } from '../../../persistence/entities/beat-action.ts'
import type { BeatGroup } from '../../../persistence/entities/beat-group.ts'
import { BeatTransition } from '../../../persistence/entities/beat-transition.ts'
import type { Context } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import { operation } from '../../kernel/operation.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { groupTakesOver } from '../definition/naming-rules.ts'
import { ownerProcess } from '../definition/subject.ts'
import { countMembers, membersOf } from '../groups/member-stages.ts'
import { stageOfMembers } from '../groups/stage-transition.ts'
import type { Stage } from '../stage/stage-rules.ts'
import { actingGroup } from './act.ts'
import { redraft } from './again.ts'
import { verdictOn } from './decide-rules.ts'
import type { Draft } from './draft.ts'
import { doneBy, execute, noteDone } from './execute.ts'
import { ownerOf } from './load-owner.ts'
import { findOwner, nameOf, type Owner } from './owner.ts'
import { presentAction, presentExecution } from './presenter.ts'
import { ApproveRequest, BeatActionExecution, BeatActionResource, RejectRequest } from './schema.ts'
import { actionSubject } from './subject.ts'

export const approveAction = operation({
  name: 'beat_actions.approve',
  area: 'reviews',
  permission: 'write',
  summary: 'Approve an action of a beat or a group, and carry it out',
  description:
    'It is carried out now, on what is there now. What keeps it from that, such as an incident that was resolved meanwhile, makes it `failed` with a `reason`. One that failed may be approved again: it then says what the policies make of it by now. Approving twice answers 200 with what is stored. One that was rejected or superseded, or whose stage has passed, is a 409.',
  subject: actionSubject,
  input: ApproveRequest,
  output: BeatActionExecution,
  run: async (ctx, _input, action) => {
    if (!requireDecision('approve', action)) {
      ctx.existing()
    } else {
      const record = await requireCurrent(ctx, action)
      const work = ctx
      const owner = await ownerAt(work, record, action)
      const ready = action.state !== 'failed' || (await redraft(work, owner, action))
      const done = ready && (await execute(work, owner, action))
      decided(ctx, action)
      if (done) await tellTransition(ctx, action)
      ctx.wake(processOf(action), approvalInWords(ctx, action))
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
    'Also one that failed. Rejecting twice answers 200 with what is stored; one that was carried out or superseded is a 409.',
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

/** What the history of the owner says: who approved the action, and what followed. */
function approvalInWords({ actor }: Context, action: BeatAction): string {
  const approval = `the approval of action ${action.id} by "${actor.name}"`
  if (action.state !== 'executed') return `${approval}: the action is ${action.state}. ${action.reason ?? ''}`.trim()
  return `${approval}: ${doneBy(action)
    .map(({ message }) => message)
    .join(', ')}`
}

/** Whether there is something to decide: not if that was decided already, and a conflict if it cannot be any more. */
function requireDecision(decision: 'approve' | 'reject', { state, reason }: BeatAction): boolean {
  const verdict = verdictOn(decision, state)
  if (verdict === 'refused') throw new Problem('conflict', `The action is ${state}${reason ? `: ${reason}` : '.'}`)
  return verdict === 'allowed'
}

/** What it says must be so still: its process may not have come to saying that it is not. */
async function requireCurrent(ctx: Context, action: BeatAction): Promise<Beat | BeatGroup> {
  const { tx } = ctx
  const { owner_kind: kind, owner_id, stage } = action
  const record = await findOwner(tx, action)
  if (!record) throw new Problem('conflict', 'The beat or the group of this action was deleted.')
  const group = await actingGroup(ctx, { kind, record })
  if (group) throw new Problem('conflict', groupTakesOver(record, group))
  const newer = { owner_kind: kind, owner_id, id: { $gt: action.id } }
  const seen = 'message_source_mode' in record ? await currentStage(ctx, record) : record.current_stage
  if (seen !== stage || (await tx.count(BeatAction, newer)) > 0) {
    const now = `is ${seen} since its transition ${record.transition_number}`
    throw new Problem('conflict', `The ${nameOf({ kind, record })} ${now}: this action is about an earlier one.`)
  }
  return record
}

/** The owner with the items of now. A draft that opens or updates an incident affects these; a recovery keeps its own. */
async function ownerAt(work: WorkContext, record: Beat | BeatGroup, action: BeatAction): Promise<Owner> {
  const owner = (await ownerOf(work, record))!
  const draft = action.draft as unknown as Draft
  if (draft.kind === 'resolve') return { ...owner, items: draft.items }
  action.draft = { ...draft, items: owner.items }
  return owner
}

/** The stage of a group by its members of now: the process of the group may not have seen the last change. */
async function currentStage(work: WorkContext, group: BeatGroup): Promise<Stage | null> {
  const members = await membersOf(work, group)
  await countMembers(work, group, members)
  return stageOfMembers(members)
}

function decided({ actor, now }: Context, action: BeatAction): void {
  Object.assign(action, { decided_by: actor.name, decided_at: now, version: action.version + 1, updated_at: now })
}

/** The transition that it came of tells what was done about it. */
async function tellTransition({ tx }: Context, action: BeatAction): Promise<void> {
  const transition = await tx.findOneOrFail(BeatTransition, { id: action.transition_id })
  noteDone(transition, doneBy(action))
}

const processOf = ({ owner_kind, owner_id }: BeatAction) => ownerProcess(owner_kind, owner_id)
