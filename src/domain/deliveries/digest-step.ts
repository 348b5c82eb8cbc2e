import { dueDigestsOf, nextDigestOf } from '../../persistence/deliveries.ts'
import type { StepContext, StepResult } from '../kernel/step.ts'

/** One step of the daily mails of a page. The id of the process is the id of the page. */
export async function digestStep(ctx: StepContext): Promise<StepResult> {
  const now = ctx.clock()
  const next = await nextDigestOf(ctx.tx, ctx.pageId)
  if (!next) return { done: true, says: 'nothing: no daily mail is planned' }
  if (next > now) return { done: false, says: `the next daily mail at ${next.toISOString()}`, until: next }
  const { mails, notifications } = await dueDigestsOf(ctx.tx, ctx.pageId, now)
  const several = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
  ctx.note('mails', `due: ${several(mails, 'daily mail')} with ${several(notifications, 'notification')}`)
  return { done: false, says: 'the daily mails that are due', errand: 'digest' }
}
