import type { SubjectOfPage } from './contract.ts'
import { reconcile } from './reconcile.ts'

/** A plan until it is executed, cancelled or expired: waits for answers and the confirmation, and runs the confirmed steps. */
export async function actionPlan(ref: SubjectOfPage): Promise<void> {
  await reconcile('plan', ref)
}
