import { listActions } from '../../beats/actions/operations.ts'
import { approveAction, rejectAction } from '../../beats/actions/review.ts'
import type { AnyOperation } from '../../kernel/operation.ts'
import type { DraftStep, Reply, Response } from '../response-types.ts'
import { impossible } from './refusals.ts'
import { askRecord, planOf, recordsIn } from './requests.ts'
import { isRecord, plain, slotOf } from './text.ts'

const deciding =
  (verb: 'approve' | 'reject', operation: AnyOperation): Response =>
  async (ctx, { action, message }): Promise<Reply> => {
    const { beat_actions } = await ctx.read(listActions, { input: { state: 'pending_review', limit: '20' } })
    const waiting = beat_actions.map(({ id, title, stage }) => slotOf('action', { id, name: `${title}, ${stage}` }))
    const found = action ?? (waiting.length === 1 ? waiting[0] : undefined)
    if (!found && waiting.length === 0) return impossible('No review waits.')
    const questions = isRecord(found) ? [] : [askRecord('action', found, waiting, verb)]
    const note = message && verb === 'reject' ? { decision_note: message } : {}
    const what = isRecord(found) ? beat_actions.find(({ id }) => id === found.id) : undefined
    const drafted = what ? `: ${what.kind} an incident “${plain(what.title)}” at ${what.stage}` : ''
    const steps = (): DraftStep[] =>
      isRecord(found)
        ? [
            {
              operation,
              input: { id: found.id, ...note },
              effect: `${verb === 'approve' ? 'Approves and executes' : 'Rejects'} the review ${found.id}${drafted}.`,
            },
          ]
        : []
    return planOf(verb === 'approve' ? 'Approve a review' : 'Reject a review', {
      ...{ questions, steps },
      records: recordsIn(found),
    })
  }

export const approveReview = deciding('approve', approveAction)
export const rejectReview = deciding('reject', rejectAction)
