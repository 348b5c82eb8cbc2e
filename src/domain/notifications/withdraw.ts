import { withdrawDeliveries } from '../../persistence/deliveries.ts'
import type { Context } from '../kernel/context.ts'

/** What was not sent about a deleted record is not sent any more. */
export async function withdrawNotifications(ctx: Context, about: { kind: string; id: number }): Promise<void> {
  const { tx, page, now } = ctx
  for (const id of await withdrawDeliveries(tx, page.id, about, now)) {
    ctx.wake({ kind: 'notification', id }, `the deletion of the ${about.kind} ${about.id}`)
  }
}
