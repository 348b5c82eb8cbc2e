import { NotificationEvent } from '../../../persistence/entities/notification-event.ts'
import type { Subscriber } from '../../../persistence/entities/subscriber.ts'
import type { WorkContext } from '../../kernel/work-context.ts'
import { addNotification } from '../../notifications/announce.ts'
import { askForConfirmation } from '../confirmation.ts'

/** A stranger cannot fill the mailbox of another person: one mail with a link in ten minutes. */
const PAUSE_MS = 10 * 60 * 1000

const key = 'subscription.manage'

/** Asks for the mail that fits the state of the locked subscriber: to confirm, to manage, or no mail. */
export async function askForLink(ctx: WorkContext, subscriber: Subscriber): Promise<void> {
  const { state } = subscriber
  if (state === 'active') await askForManageLink(ctx, subscriber)
  if (state === 'pending' || state === 'unsubscribed') askForConfirmation(ctx, subscriber)
}

async function askForManageLink(ctx: WorkContext, { id }: Subscriber): Promise<void> {
  const about = { key, subject_kind: 'subscriber', subject_id: id }
  const [last] = await ctx.tx.find(NotificationEvent, about, { orderBy: { id: 'desc' }, limit: 1 })
  if (last && ctx.now.getTime() - last.created_at.getTime() < PAUSE_MS) return
  addNotification(ctx, { key, kind: 'subscriber', id, natural: `manage:after:${last?.id ?? 0}` })
}
