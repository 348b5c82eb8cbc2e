import type { SubjectOfPage } from './contract.ts'
import { delivering } from './delivering.ts'
import { reconcile } from './reconcile.ts'

/** A notification: finds its recipients and sends to each, until every delivery has an end. */
export async function notification(ref: SubjectOfPage): Promise<void> {
  await reconcile('notification', ref, delivering('notification', ref))
}
