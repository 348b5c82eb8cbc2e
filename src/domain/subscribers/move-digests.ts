import { moveDigestsOf } from '../../persistence/deliveries.ts'
import type { Subscriber } from '../../persistence/entities/subscriber.ts'
import type { WorkContext } from '../kernel/work-context.ts'
import { settingsOf } from '../settings/stored.ts'
import { nextDigestAt } from './digest-time.ts'

type Preferences = Pick<Subscriber, 'id' | 'time_zone' | 'frequency'>

/** Changed preferences apply to what waits for the next daily mail, too. Without daily mails it is sent now, as the last one. */
export async function moveDigests(ctx: WorkContext, before: Preferences, after: Preferences): Promise<void> {
  if (before.time_zone === after.time_zone && before.frequency === after.frequency) return
  const { reliability_policy_timezone } = await settingsOf(ctx.tx)
  const at =
    after.frequency === 'daily' ? nextDigestAt(ctx.now, after.time_zone ?? reliability_policy_timezone) : ctx.now
  const moved = await moveDigestsOf(ctx.tx, { pageId: ctx.pageId, subscriberId: after.id, at, now: ctx.now })
  if (moved) ctx.wake({ kind: 'digest', id: ctx.pageId }, `a change of the preferences of the subscriber ${after.id}`)
}
